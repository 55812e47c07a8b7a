import { count, small } from "../../format/number.ts";
import { span } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Hash } from "../../ui/Hash.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { name } from "./model/say.ts";
import { fateOf } from "./model/steps.ts";
import type { CheckpointInfo, Finding } from "./model/types.ts";

/** Why a checkpoint was judged as it was: each seat's findings, the hashes, and how to run it again. */
export function Evidence({ run, checkpoint: c }: { run: RunData; checkpoint: CheckpointInfo }) {
  const fate = fateOf(c.status);
  const refused = fate === "refused";
  const failed = c.findings.find((f) => !f.ok);
  const judging = c.decided ? c.decided.t - c.committed.t : undefined;
  return (
    <div className={refused ? "evd" : "evd calm"}>
      <div>
        <h3>{refused ? "Why it was refused" : fate === "accepted" ? "Why it was accepted" : "What the seats found"}</h3>
        {refused ? <Refusal failed={failed} /> : <p>{summary(c)}</p>}
        {judging !== undefined && <p className="sub">Decided {span(judging)} after it was handed in.</p>}
        {c.findings.length > 0 && (
          <ul className="findings">
            {c.findings.map((finding) => (
              <li key={`${finding.verifier} ${finding.gate} ${finding.t}`}>
                <Icon name={finding.ok ? "check" : "cross"} className={finding.ok ? "ok" : "bad"} />
                {name(run.meta, finding.verifier)}: {describe(finding)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <dl className="kv">
        {refused && failed?.committed && <HashRow label="Committed" value={failed.committed} />}
        {refused && failed?.replayed && <HashRow label="Replayed" value={failed.replayed} />}
        <HashRow label="State" value={c.stateHash} />
        <HashRow label="Trace root" value={c.traceRoot} />
        {c.votes[0] && <HashRow label="Evidence" value={c.votes[0].evidenceHash} />}
        <HashRow label="Transaction" value={c.committed.tx} />
      </dl>
      <div className="evact">
        <code>bin/gpuchain-verifier judge {c.id}</code>
        <p className="sub">
          {fate === "accepted"
            ? `${formatUsdc(c.pay, 3)} USDC for ${count(c.step - c.from)} steps`
            : fate === "waiting"
              ? "Nothing is owed before a verdict"
              : "Nothing owed"}
        </p>
      </div>
    </div>
  );
}

function Refusal({ failed }: { failed: Finding | undefined }) {
  if (!failed)
    return <p>The seats’ own findings aren’t in this record; the votes and their evidence hashes are on chain.</p>;
  const { interval, distance, limit } = failed;
  if (!distance || !limit) return <p>{sentence(failed.reason ?? `The ${failed.gate} gate failed.`)}</p>;
  return (
    <p>
      {interval
        ? `Steps ${count(interval.from)} to ${count(interval.to)} were drawn by a block hash and run again. `
        : ""}
      The update ended <b className="num">{small(distance.params)}</b> away; the job allows{" "}
      <b className="num">{small(limit.params)}</b>. One failed replay is enough.
    </p>
  );
}

function summary(c: CheckpointInfo): string {
  const votes = c.votes.filter((v) => v.outcome === "accept").length;
  const replay = c.findings.find((f) => f.gate === "replay" && f.distance);
  const near = replay?.distance ? ` The replayed update ended ${small(replay.distance.params)} away.` : "";
  if (votes > 0) return `${votes} of 3 seats accept it.${near}`;
  return c.status === "void" ? "It was built on refused work, so nobody judged it." : `No vote is counted yet.${near}`;
}

function describe(f: Finding): string {
  const parts: string[] = [f.gate, f.ok ? "passes" : "fails"];
  if (f.interval) parts.push(`on steps ${f.interval.from} to ${f.interval.to}`);
  if (f.distance) parts.push(`(distance ${small(f.distance.params)}, moments ${small(f.distance.m)})`);
  if (f.balancedAccuracy !== undefined) parts.push(`(balanced accuracy ${f.balancedAccuracy.toFixed(4)})`);
  if (!f.ok && f.reason && !f.distance) parts.push(`: ${f.reason}`);
  return parts.join(" ");
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

function HashRow({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Hash value={value} />
      </dd>
    </div>
  );
}
