import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import type { EventLog } from "../../chain/eventStore.ts";
import { useChainRead } from "../../chain/useChainRead.ts";
import { isAddress } from "../../format/hash.ts";
import { count } from "../../format/number.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Badge } from "../../ui/Badge.tsx";
import { NoChain } from "../../ui/NoChain.tsx";
import { selfNames } from "./model/journal.ts";
import { openClaims } from "./model/openClaims.ts";

const WithdrawDialog = lazy(() => import("../wallet/WithdrawDialog.tsx").then((m) => ({ default: m.WithdrawDialog })));
const route = getRouteApi("/ledger");

/** What the escrow owes any address. No signing, no connecting. */
export function WalletCheck({ log }: { log: EventLog }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const fromSearch = isAddress(search.account ?? "") ? (search.account ?? "") : "";
  const [typed, setTyped] = useState(fromSearch);
  const [checked, setChecked] = useState<`0x${string}` | undefined>(isAddress(fromSearch) ? fromSearch : undefined);
  const [wrong, setWrong] = useState(false);
  // The palette, a shared address and Back lead here while the page is open, too.
  useEffect(() => {
    if (!isAddress(fromSearch)) return;
    setTyped(fromSearch);
    setChecked(fromSearch);
    setWrong(false);
  }, [fromSearch]);
  return (
    <section className="wrap sec tight" aria-labelledby="w-h">
      <header className="sechead row">
        <h2 id="w-h">Check any wallet</h2>
        <p>No signing, no connecting. Paste an address.</p>
      </header>
      <div className="wallet">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const address = typed.trim();
            setWrong(!isAddress(address));
            if (!isAddress(address)) return;
            setChecked(address);
            void navigate({ search: { ...search, account: address }, replace: true });
          }}
        >
          <label htmlFor="w-a">Address</label>
          <div className="field">
            <input
              id="w-a"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              placeholder="0x…"
              spellCheck={false}
              autoComplete="off"
              aria-invalid={wrong}
              aria-describedby={wrong ? "w-e" : undefined}
            />
            <button type="submit" className="btn pri">
              Check
            </button>
          </div>
          {wrong && (
            <p id="w-e" className="bad hint" role="alert">
              That is no address: 0x and 40 hexadecimal digits.
            </p>
          )}
          {checked && <Who log={log} account={checked} />}
        </form>
        {/* Another wallet is another reading: nothing of the last one may stand under it. */}
        {checked && <Result key={checked.toLowerCase()} log={log} account={checked} />}
      </div>
    </section>
  );
}

function Who({ log, account }: { log: EventLog; account: string }) {
  const who = useMemo(() => selfNames(log.events).get(account.toLowerCase()), [log.events, account]);
  if (!who) return <p className="hint">Not a registered provider or verifier.</p>;
  return (
    <p className="hint">
      Registered {who.role}, {who.name}{" "}
      {who.role === "provider" && <Badge kind="selfReported">Name self-reported</Badge>}
    </p>
  );
}

function Result({ log, account }: { log: EventLog; account: `0x${string}` }) {
  const [withdrawing, setWithdrawing] = useState(false);
  const reading = useChainRead((chain) => chain.client.read.getAccount({ account }), [account], 15_000);
  const claims = useMemo(() => openClaims(log.events, account), [log.events, account]);
  if (!reading.data) {
    return reading.error ? (
      <p className="bad">It can’t be read: {reading.error}</p>
    ) : (
      <NoChain client={reading.client} />
    );
  }
  const { claimable, bond, reserved } = reading.data;
  return (
    <>
      {reading.error && <p className="bad">Read before; now it can’t be: {reading.error}</p>}
      <dl className="wres" aria-live="polite">
        <Value label="Ready to withdraw" units={claimable} main />
        <Value label="Owed, not matured" units={claims.owed} />
        <Value label="Bond, free" units={bond - reserved} />
        <Value label="Bond, reserved" units={reserved} />
        <div>
          <dt>Steps not paid</dt>
          <dd className="num">
            {count(claims.unpaidSteps)}
            {claims.reasons.length > 0 && <span className="sub">{claims.reasons.join("; ")}</span>}
          </dd>
        </div>
      </dl>
      <p className="wact">
        <button type="button" className="btn" disabled={claimable === 0n} onClick={() => setWithdrawing(true)}>
          Withdraw {formatUsdc(claimable)}
        </button>
        <span className="dim">
          {claimable === 0n ? "Nothing to withdraw." : "Only this wallet can. Connect it to go on."}
        </span>
      </p>
      <Suspense>
        {withdrawing && (
          <WithdrawDialog
            account={account}
            claimable={claimable}
            onClose={() => setWithdrawing(false)}
            onDone={reading.refresh}
          />
        )}
      </Suspense>
    </>
  );
}

function Value({ label, units, main }: { label: string; units: bigint; main?: boolean }) {
  return (
    <div className={main ? "main" : undefined}>
      <dt>{label}</dt>
      <dd className="num">{formatUsdc(units)}</dd>
    </div>
  );
}
