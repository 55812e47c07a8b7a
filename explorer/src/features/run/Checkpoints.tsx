import { Fragment, useState } from "react";
import { count, small } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Hash } from "../../ui/Hash.tsx";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { Swatch } from "../../ui/Swatch.tsx";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { Evidence } from "./Evidence.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { fateOf } from "./model/steps.ts";
import type { CheckpointInfo, RunState } from "./model/types.ts";
import { Votes } from "./Votes.tsx";

/** Rows shown of a long run until more are asked for. */
const NEWEST = 50;
/** With more rows than these the page lays them out only when they come into view. */
const MANY = 20;

/** Every checkpoint with its parent, votes, replay distance, score and what it earned; each opens to its evidence. */
export function Checkpoints({ run, now }: { run: RunData; now: RunState }) {
  const refused = now.checkpoints.find((c) => fateOf(c.status) === "refused");
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [row, setRow] = useState(-1);
  const [all, setAll] = useState(false);
  const shown = all ? now.checkpoints : now.checkpoints.slice(-NEWEST);
  const isOpen = (c: CheckpointInfo) => toggled.get(c.id) ?? c === refused;
  const toggle = (c: CheckpointInfo) => setToggled(new Map(toggled).set(c.id, !isOpen(c)));
  useShortcut("j", "Next checkpoint", () => setRow((r) => Math.min(r + 1, shown.length - 1)));
  useShortcut("k", "Previous checkpoint", () => setRow((r) => Math.max(r - 1, 0)));
  useShortcut("Enter", "Open the marked checkpoint’s evidence", () => {
    const c = shown[row];
    if (c) toggle(c);
  });
  return (
    <section className={shown.length > MANY ? "wrap sec tight below" : "wrap sec tight"} aria-labelledby="c-h">
      <header className="sechead row">
        <h2 id="c-h">Checkpoints and verdicts</h2>
        <p>Three seats, two equal votes decide. Only a failed integrity check or replay can refuse.</p>
      </header>
      {now.checkpoints.length === 0 ? (
        <p className="dim">None handed in yet.</p>
      ) : (
        <table className="tab ck">
          <thead>
            <tr>
              <th>Step</th>
              <th>Provider</th>
              <th>On top of</th>
              <th>State hash</th>
              <th>Votes</th>
              <th className="r">Replay distance</th>
              <th className="r">Held-out score</th>
              <th>Verdict</th>
              <th className="r">Owed, USDC</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((c, i) => (
              <Fragment key={c.id}>
                <Row run={run} now={now} c={c} open={isOpen(c)} marked={i === row} onToggle={() => toggle(c)} />
                {isOpen(c) && (
                  <tr className="ev">
                    <td colSpan={9}>
                      <Evidence run={run} checkpoint={c} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      {now.checkpoints.length > NEWEST && (
        <button type="button" className="btn" onClick={() => setAll(!all)}>
          {all ? `The newest ${NEWEST} only` : `All ${count(now.checkpoints.length)} checkpoints`}
        </button>
      )}
    </section>
  );
}

function Row(props: {
  run: RunData;
  now: RunState;
  c: CheckpointInfo;
  open: boolean;
  marked: boolean;
  onToggle: () => void;
}) {
  const { run, now, c, open, marked, onToggle } = props;
  const party = run.meta.parties.get(c.provider);
  const fate = fateOf(c.status);
  const parent = now.checkpoints.find((p) => p.id === c.parentId);
  const verdict = VERDICTS[c.status];
  const classes = [open && "open", fate === "refused" && "isbad", marked && "cursor-row"].filter(Boolean).join(" ");
  return (
    <tr className={classes || undefined}>
      <td className="num k">
        <button type="button" className="linkb" aria-expanded={open} onClick={onToggle}>
          {count(c.step)}
          <span className="vh">, evidence</span>
        </button>
      </td>
      <td className="pv">
        <Swatch
          kind={fate === "refused" ? "no" : fate === "waiting" ? "wait" : fate === "lost" ? "lost" : "pv"}
          n={party?.index ?? 0}
        />
        {party?.name ?? "?"}
      </td>
      <td className="num par" data-h="on ">
        {parent ? count(parent.step) : "genesis"}
      </td>
      <td className="hs">
        <Hash value={c.stateHash} />
      </td>
      <td className="vo">
        <Votes checkpoint={c} />
      </td>
      <td className="num r rd" data-h="replay ">
        {distance(c)}
      </td>
      <td className="num r sc" data-h="score ">
        {score(c)}
      </td>
      <td className="vd">
        <span className={fate === "refused" ? "bad" : undefined}>
          <Icon name={verdict.icon} className={fate === "accepted" ? "acc" : ""} />
          {verdict.text}
        </span>
      </td>
      <td className="num r ow">{fate === "waiting" ? "–" : formatUsdc(fate === "accepted" ? c.pay : 0n, 3)}</td>
    </tr>
  );
}

const VERDICTS: Readonly<Record<CheckpointInfo["status"], { icon: IconName; text: string }>> = {
  pending: { icon: "ring", text: "Being judged" },
  accepted: { icon: "check", text: "Accepted" },
  paid: { icon: "check", text: "Accepted, paid" },
  refused: { icon: "cross", text: "Refused" },
  final: { icon: "cross", text: "Refused, final" },
  overturned: { icon: "check", text: "Refusal overturned" },
  unavailable: { icon: "dash", text: "Unavailable" },
  void: { icon: "dash", text: "Void: built on refused work" },
  orphaned: { icon: "dash", text: "Orphaned: another came first" },
  cut: { icon: "cross", text: "Cut by the arbiter" },
};

/** The largest distance any seat found: the one that decides. */
function distance(c: CheckpointInfo): string {
  const all = c.findings.flatMap((f) => (f.distance ? [f.distance.params] : []));
  return all.length > 0 ? small(Math.max(...all)) : "–";
}

function score(c: CheckpointInfo): string {
  const votes = c.votes.filter((v) => v.score > 0);
  return votes[0] ? (votes[0].score / 1e6).toFixed(4) : "–";
}
