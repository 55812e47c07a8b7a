import { useState } from "react";
import { clock } from "../../format/time.ts";
import type { RunState } from "./model/types.ts";

const FEW = 4;
const MANY = 400;

/** The newest lines at the cursor; all of them on demand. */
export function RunLog({ now }: { now: RunState }) {
  const [all, setAll] = useState(false);
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const matching = wanted ? now.log.filter((l) => `${l.source} ${l.text}`.toLowerCase().includes(wanted)) : now.log;
  const lines = matching.slice(-(all ? MANY : FEW)).reverse();
  return (
    <div className="rlog">
      <h3>Log</h3>
      <div>
        {all && (
          <label className="logfilter">
            Filter <input type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
          </label>
        )}
        <ol>
          {lines.map((line) => (
            <li key={line.n} className={line.tone === "bad" ? "bad" : undefined}>
              <time className="num">{clock(line.t, true)}</time>
              <span>{line.source}</span>
              {line.text}
            </li>
          ))}
        </ol>
        {lines.length === 0 && <p className="dim">{wanted ? "No line has that." : "Nothing yet."}</p>}
        {all && matching.length > MANY && (
          <p className="dim">
            The newest {MANY} of {matching.length}; the download has all.
          </p>
        )}
      </div>
      <button type="button" className="linkb" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? "Fewer lines" : `All ${now.log.length} lines`}
      </button>
    </div>
  );
}
