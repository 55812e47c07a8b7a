import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { loadRecordingIndex } from "../../recordings/loadRecordings.ts";
import type { RecordingSummary } from "../../recordings/summary.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { findTargets, type Target } from "./findTargets.ts";

/** Search over pages, runs and addresses; Enter goes to the marked one. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const [marked, setMarked] = useState(0);
  const [recordings, setRecordings] = useState<readonly RecordingSummary[]>([]);
  useEffect(() => {
    loadRecordingIndex().then(setRecordings, () => setRecordings([]));
  }, []);
  const targets = useMemo(() => findTargets(query, recordings), [query, recordings]);
  const go = (target: Target | undefined) => {
    if (!target) return;
    onClose();
    void navigate(target.to);
  };
  return (
    <Dialog open onClose={onClose} title="Search" className="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Page, run number or address"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={targets[marked] ? `palette-${marked}` : undefined}
        placeholder="Page, run number, address"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setMarked(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setMarked((m) => Math.min(m + 1, targets.length - 1));
          else if (event.key === "ArrowUp") setMarked((m) => Math.max(m - 1, 0));
          else if (event.key === "Enter") go(targets[marked]);
          else return;
          event.preventDefault();
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field takes the marked option
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={target.label}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === marked}
            onClick={() => go(target)}
          >
            {target.label} <span className="dim">{target.hint}</span>
          </div>
        ))}
      </div>
      {targets.length === 0 && (
        <p className="dim">Nothing by that name. An address, a run’s number or a page’s name works.</p>
      )}
    </Dialog>
  );
}
