import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { EventLog } from "../../chain/eventStore.ts";
import { count } from "../../format/number.ts";
import { formatDay, formatTime } from "../../format/time.ts";
import { formatUsdc } from "../../format/usdc.ts";
import { Hash } from "../../ui/Hash.tsx";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { SourceNote } from "../../ui/SourceNote.tsx";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { save } from "../run/save.ts";
import { exportCsv, exportJson } from "./model/export.ts";
import { filterJournal, type JournalFilter, type JournalRow, journal, selfNames } from "./model/journal.ts";

const route = getRouteApi("/ledger");
const PAGE = 50;

const KINDS: readonly { value: JournalFilter["kind"]; label: string }[] = [
  { value: "all", label: "All" },
  { value: "in", label: "Money in" },
  { value: "owed", label: "Owed" },
  { value: "paid", label: "Paid" },
  { value: "refused", label: "Refused" },
  { value: "out", label: "Withdrawn" },
];

/** Every movement, newest first, with filters in the address so that a view can be shared. */
export function Journal({ log }: { log: EventLog }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState(PAGE);
  const [marked, setMarked] = useState(-1);
  const names = useMemo(() => selfNames(log.events), [log.events]);
  const all = useMemo(() => journal(log.events).reverse(), [log.events]);
  const kind = KINDS.find((k) => k.value === search.kind)?.value ?? "all";
  const jobs = (search.job ?? "").split(/[\s,]+/).filter(Boolean);
  const rows = filterJournal(all, { kind, jobs, account: search.account ?? "" }, (a) => names.get(a)?.name);
  const visible = rows.slice(0, shown);
  const set = (change: Partial<typeof search>) => void navigate({ search: { ...search, ...change }, replace: true });
  useShortcut("j", "Next row of the journal", () => setMarked((m) => Math.min(m + 1, visible.length - 1)));
  useShortcut("k", "Previous row of the journal", () => setMarked((m) => Math.max(m - 1, 0)));
  useShortcut("Enter", "Open the marked row’s run", () => {
    const job = visible[marked]?.job;
    if (job) void navigate({ to: "/runs/$id", params: { id: job } });
  });
  return (
    <section className="wrap sec tight" aria-labelledby="j-h">
      <header className="sechead row">
        <h2 id="j-h">Journal</h2>
        <p>Every movement, rebuilt from events alone.</p>
      </header>
      <div className="filters">
        <Segmented
          label="Kind"
          wide
          value={kind}
          options={KINDS}
          onChange={(value) => set({ kind: value === "all" ? undefined : value } as typeof search)}
        />
        <label className="fl">
          Job <input size={6} value={search.job ?? ""} onChange={(event) => set({ job: event.target.value })} />
        </label>
        <label className="fl grow">
          Account{" "}
          <input
            placeholder="Address or name"
            spellCheck={false}
            value={search.account ?? ""}
            onChange={(event) => set({ account: event.target.value })}
          />
        </label>
        <span className="cnt num">
          {count(rows.length)} of {count(all.length)}
        </span>
        <span className="ex">
          <button
            type="button"
            className="btn sm"
            disabled={rows.length === 0}
            onClick={() => save("journal.csv", exportCsv(rows), "text/csv")}
          >
            CSV
          </button>
          <button
            type="button"
            className="btn sm"
            disabled={rows.length === 0}
            onClick={() => save("journal.json", exportJson(rows), "application/json")}
          >
            JSON
          </button>
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="dim">{empty(log, all.length)}</p>
      ) : (
        <table className="tab jr">
          <thead>
            <tr>
              <th>{visible[0]?.timestamp ? `${formatDay(new Date(visible[0].timestamp * 1000))} ↓` : "Time ↓"}</th>
              <th className="r">Block</th>
              <th className="r">Job</th>
              <th>What</th>
              <th>Whose</th>
              <th>For</th>
              <th className="r">USDC</th>
              <th>Transaction</th>
            </tr>
          </thead>
          <tbody>
            {visible.map((row, i) => (
              <Row key={row.key} row={row} marked={i === marked} name={names.get(row.account)?.name} />
            ))}
          </tbody>
        </table>
      )}
      <p className="more">
        {rows.length > shown && (
          <button type="button" className="btn" onClick={() => setShown(shown + PAGE)}>
            Show {Math.min(PAGE, rows.length - shown)} older
          </button>
        )}
        {rows.length > 0 && (
          <span className="dim kh">
            Move with <kbd>j</kbd> <kbd>k</kbd>, open with <kbd>Enter</kbd>. Names are self-reported.
          </span>
        )}
      </p>
      <SourceNote log={log} />
    </section>
  );
}

function empty(log: EventLog, all: number): string {
  if (log.state === "none") return "No chain, no journal.";
  if (log.state === "loading") return "Reading every event …";
  if (log.state === "failed") return `Events can’t be read: ${log.problem}`;
  return all > 0 ? "Nothing matches these filters." : "Nothing has moved yet.";
}

const ICONS: Readonly<Record<JournalRow["kind"], IconName>> = {
  in: "dot",
  owed: "ring",
  paid: "check",
  refused: "cross",
  out: "arrow",
  other: "dash",
};

function Row({ row, marked, name }: { row: JournalRow; marked: boolean; name: string | undefined }) {
  const icon = ICONS[row.kind];
  const classes = [row.bad && "k-bad", marked && "cursor-row"].filter(Boolean).join(" ");
  return (
    <tr className={classes || undefined}>
      <td className="num tm">{row.timestamp === undefined ? "–" : formatTime(row.timestamp)}</td>
      <td className="num r bl">{count(row.block)}</td>
      <td className="num r jb">
        {row.job !== undefined && (
          <Link to="/runs/$id" params={{ id: row.job }}>
            {row.job}
          </Link>
        )}
      </td>
      <td className="ek">
        <Icon name={icon} className={row.bad ? "bad" : row.kind === "paid" ? "acc" : ""} />
        {row.what}
      </td>
      <td className="wh">
        {name && <span>{name}</span>} <Hash value={row.account} />
      </td>
      <td className="de">{row.why}</td>
      <td className="num r am">
        {row.amount === 0n ? "" : row.sign}
        {formatUsdc(row.amount)}
      </td>
      <td className="tx">
        <Hash value={row.tx} />
      </td>
    </tr>
  );
}
