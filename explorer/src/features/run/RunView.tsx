import { type ReactNode, useMemo, useRef, useState } from "react";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { Board } from "./board/Board.tsx";
import { cursorText } from "./board/Surface.tsx";
import { Checkpoints } from "./Checkpoints.tsx";
import type { Telemetry } from "./live/telemetry.ts";
import { createPlayer } from "./model/player.ts";
import type { RunData } from "./model/recordedRun.ts";
import type { RunState } from "./model/types.ts";
import { Rail } from "./Rail.tsx";
import { Receipts } from "./Receipts.tsx";
import { RunHead } from "./RunHead.tsx";
import { RunLog } from "./RunLog.tsx";
import { Transport } from "./Transport.tsx";
import { useReplay } from "./useReplay.ts";

/** A recorded run: everything on the page is what was known at the cursor. */
export function ReplayView({ run, id, startAt }: { run: RunData; id: string; startAt: number }) {
  usePageTitle(`Run ${id}`);
  const replay = useReplay(run.duration, Math.min(startAt, run.duration));
  const { now, end } = useStates(run, replay.t);
  return (
    <RunBody run={run} id={id} now={now} end={end} t={replay.t} onSeek={replay.seek} announce={!replay.playing}>
      <Transport run={run} end={end} replay={replay} />
    </RunBody>
  );
}

/** A run as it happens. The cursor follows it until somebody moves it back. */
export function LiveView({
  run,
  id,
  telemetry,
}: {
  run: RunData;
  id: string;
  telemetry: Pick<Telemetry, "up" | "down">;
}) {
  usePageTitle(`Run ${id}`);
  const [held, setHeld] = useState<number | undefined>();
  const t = held === undefined ? run.duration : Math.min(held, run.duration);
  const { now, end } = useStates(run, t);
  const note = gatewayNote(telemetry);
  return (
    <RunBody run={run} id={id} now={now} end={end} t={t} onSeek={setHeld} announce={held !== undefined} note={note}>
      {held !== undefined && (
        <section className="transport" aria-label="Live">
          <div className="wrap">
            <button type="button" className="btn pri" onClick={() => setHeld(undefined)}>
              Back to now
            </button>
            <span className="dim">You are looking at an earlier moment; the run goes on.</span>
          </div>
        </section>
      )}
    </RunBody>
  );
}

/** Which gateways are silent, and what that takes from the page; nothing while all answer. */
export function gatewayNote({ up, down }: Pick<Telemetry, "up" | "down">): string | undefined {
  if (down.length === 0) return undefined;
  const hosts = down.join(", ");
  const verb = down.length === 1 ? "doesn’t" : "don’t";
  return up.length > 0
    ? `${hosts} ${verb} answer. The steps come from another seat’s gateway; only what that seat itself saw is missing.`
    : `No gateway answers (${hosts}), so no new steps or pulses. What is on chain is all here.`;
}

function useStates(run: RunData, t: number): { now: RunState; end: RunState } {
  const player = useRef<ReturnType<typeof createPlayer>>(undefined);
  const of = useRef(run.meta);
  if (of.current !== run.meta) player.current = undefined;
  of.current = run.meta;
  player.current ??= createPlayer(run.meta);
  const end = useMemo(() => createPlayer(run.meta).at(run.facts, run.duration), [run]);
  return { now: player.current.at(run.facts, t), end };
}

interface BodyProps {
  readonly run: RunData;
  readonly id: string;
  readonly now: RunState;
  readonly end: RunState;
  readonly t: number;
  readonly onSeek: (t: number) => void;
  readonly announce: boolean;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

function RunBody({ run, id, now, end, t, onSeek, announce, note, children }: BodyProps) {
  return (
    <>
      <RunHead run={run} now={now} t={t} id={id} />
      <div className="wrap rungrid">
        <div>
          <Board run={run} now={now} end={end} t={t} onSeek={onSeek} />
          {note && <p className="hint">{note}</p>}
          <RunLog now={now} />
        </div>
        <Rail run={run} now={now} t={t} />
      </div>
      <Checkpoints run={run} now={now} />
      <Receipts run={run} now={now} />
      <p className="vh" aria-live="polite">
        {announce ? cursorText(run, t) : ""}
      </p>
      {children}
    </>
  );
}
