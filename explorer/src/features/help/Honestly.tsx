import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../ui/usePageTitle.ts";

const WORKS = [
  "Leases, fences, evictions by two seats, hand-over to the next provider.",
  "Judging by replay: junk is refused, honest work is paid whatever it scores.",
  "Pay by the step, disputes and appeals, refunds, proof of reserves read by your browser.",
  "Held-out data sealed to the job’s verifiers, so that providers don’t see what they are tested on. The verifiers do.",
  "Recordings that replay a whole run with no chain behind them.",
] as const;

const NOT_YET = [
  "Posting a job, checking a step and disputing from this site. The command line does all three.",
  "A public network. Everything here runs on a local or test chain with worthless money.",
  "Many providers on one step. One provider trains at a time.",
  "Models larger than one machine’s memory.",
] as const;

const LIMITS = [
  {
    who: "Two colluding seats of three",
    can: "pass junk as accepted work, refuse honest work (an appeal can undo it), or evict a living provider again and again.",
    cannot: "take the client’s budget for themselves, or move any money that is not owed under the job’s terms.",
  },
  {
    who: "The arbiter",
    can: "send money of its jobs that has not matured back to the client, or overturn a refusal; the seats it overturns lose a fifth of the smallest bond, right or wrong.",
    cannot: "touch matured money, or block by silence: after three days the verdict stands.",
  },
  {
    who: "The owner",
    can: "approve and revoke job templates and name arbiter and treasury for future jobs. A bad arbiter has the power above over those jobs.",
    cannot: "change a posted job, or by its own calls move, freeze or redirect money.",
  },
  {
    who: "The chain’s sequencer",
    can: "bias the block hash by which seats are drawn, and delay transactions.",
    cannot: "forge a vote or a signature.",
  },
  {
    who: "The client",
    can: "dodge the protocol’s fee by cancelling near the end, and dispute with a bond at stake.",
    cannot: "withhold pay for accepted work.",
  },
  {
    who: "The token’s issuer",
    can: "freeze the escrow or an account, as with USDC anywhere.",
    cannot: "change what the escrow owes.",
  },
  {
    who: "Whoever serves this page",
    can: "show you something else than the chain says. That is why each figure names its source and the command to check it.",
    cannot: "sign for you: a withdrawal is tried on the chain first and signed in your own wallet.",
  },
] as const;

/** What works, what doesn't yet, and what each party could do. */
export function Honestly() {
  usePageTitle("What doesn’t work yet");
  return (
    <>
      <div className="wrap ledhead">
        <h1>Honestly</h1>
        <p className="lead">What works, what doesn’t yet, and what each party could do to you.</p>
      </div>
      <section className="wrap sec tight" aria-labelledby="l-h">
        <header className="sechead row">
          <h2 id="l-h">Who could do what</h2>
        </header>
        <table className="vs trust">
          <thead>
            <tr>
              <th>Who</th>
              <th>Could</th>
              <th>Could not</th>
            </tr>
          </thead>
          <tbody>
            {LIMITS.map((row) => (
              <tr key={row.who}>
                <th scope="row">{row.who}</th>
                <td data-h="Could">{row.can}</td>
                <td data-h="Not">{row.cannot}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="hint">
          An outcome is safe only while fewer than two of three seats collude. Budgets on public networks are capped at
          ten of the smallest verifier bond for that reason.
        </p>
      </section>
      <div className="wrap rcpts sec tight">
        <section aria-labelledby="y-h">
          <h2 id="y-h">Works</h2>
          <List items={WORKS} />
        </section>
        <section aria-labelledby="n-h">
          <h2 id="n-h">Doesn’t yet</h2>
          <List items={NOT_YET} />
        </section>
      </div>
      <p className="wrap hint">
        What the words mean stands under <Link to="/help">Help</Link>.
      </p>
    </>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul className="plain">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
