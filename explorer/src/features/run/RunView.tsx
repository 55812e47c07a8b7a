import { useMemo, useRef } from "react";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { Board, cursorText } from "./board/Board.tsx";
import { Checkpoints } from "./Checkpoints.tsx";
import { createPlayer } from "./model/player.ts";
import type { RunData } from "./model/recordedRun.ts";
import { Rail } from "./Rail.tsx";
import { Receipts } from "./Receipts.tsx";
import { RunHead } from "./RunHead.tsx";
import { RunLog } from "./RunLog.tsx";
import { Transport } from "./Transport.tsx";
import { useReplay } from "./useReplay.ts";

/** A run, recorded: everything on the page is what was known at the cursor. */
export function RunView({ run, id, startAt }: { run: RunData; id: string; startAt: number }) {
  usePageTitle(`Run ${id}`);
  const replay = useReplay(run.duration, Math.min(startAt, run.duration));
  const player = useRef<ReturnType<typeof createPlayer>>(undefined);
  player.current ??= createPlayer(run.meta);
  const end = useMemo(() => createPlayer(run.meta).at(run.facts, run.duration), [run]);
  const now = player.current.at(run.facts, replay.t);
  return (
    <>
      <RunHead run={run} now={now} t={replay.t} id={id} />
      <div className="wrap rungrid">
        <div>
          <Board run={run} now={now} end={end} t={replay.t} onSeek={replay.seek} />
          <RunLog now={now} />
        </div>
        <Rail run={run} now={now} t={replay.t} />
      </div>
      <Checkpoints run={run} now={now} />
      <Receipts run={run} now={now} />
      <p className="vh" aria-live="polite">
        {replay.playing ? "" : cursorText(run, replay.t)}
      </p>
      <Transport run={run} end={end} replay={replay} />
    </>
  );
}
