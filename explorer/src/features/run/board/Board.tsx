import { useMemo, useState } from "react";
import { useWidth } from "../../../charts/useWidth.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import type { RunData } from "../model/recordedRun.ts";
import type { RunState } from "../model/types.ts";
import { clampView, type Frame, fullView, type Mode, makeFrame, stepAt, stillFrame, type View } from "./axis.ts";
import { BoardLegend } from "./BoardLegend.tsx";
import { CheckpointLane } from "./CheckpointLane.tsx";
import { EventList } from "./EventList.tsx";
import { AxisLane, EventLane, EventLines, Pan } from "./Lanes.tsx";
import { LeaseLane } from "./LeaseLane.tsx";
import { LOSS_HEIGHT, LossChart } from "./LossChart.tsx";
import { LossMarks } from "./LossMarks.tsx";
import { LossScale } from "./LossScale.tsx";
import { piecesAround } from "./pieces.ts";
import { StepTable } from "./StepTable.tsx";
import { Surface } from "./Surface.tsx";

interface BoardProps {
  readonly run: RunData;
  /** state at the cursor */
  readonly now: RunState;
  /** state at the end of what is known */
  readonly end: RunState;
  readonly t: number;
  readonly onSeek: (t: number) => void;
}

const LINES = ["raw + smooth", "raw"] as const;

/** The lab instrument: lanes that share one axis and one cursor. */
export function Board({ run, now, end, t, onSeek }: BoardProps) {
  const [ref, width] = useWidth<HTMLDivElement>(900);
  const [mode, setMode] = useState<Mode>("time");
  const [lines, setLines] = useState<(typeof LINES)[number]>("raw + smooth");
  const [table, setTable] = useState(false);
  const [zoom, setZoom] = useState<View | undefined>();
  const narrow = width < 640;
  const whole = fullView(run, mode);
  const frame = useMemo(
    () => makeFrame(run, mode, width, zoom ?? whole, narrow),
    [run, mode, width, zoom, whole[0], whole[1], narrow],
  );
  const setView = (view: View) => setZoom(clampView(view, whole, mode === "time" ? 500 : 5));
  const zoomBy = (factor: number, around = mode === "time" ? t : stepAt(run, t)) => {
    const [from, to] = frame.view;
    setView([around - (around - from) * factor, around + (to - around) * factor]);
  };
  const still = (phase: number) => ({ run, frame, whole, narrow, phase });
  const leaseStill = useStill(still(0));
  const lossStill = useStill(still(0.25));
  const markStill = useStill(still(0.5));
  const checkpointStill = useStill(still(0.75));
  const pieces = useMemo(
    () => piecesAround(now, end, t, run.duration, run.meta.steps),
    [now, end, t, run.duration, run.meta.steps],
  );
  const lineHeight = run.steps.length === 0 ? LANES_HEIGHT - LOSS_HEIGHT + 36 : LANES_HEIGHT;
  return (
    <section className="board" aria-labelledby="b-h">
      <div className="bhead">
        <h2 id="b-h">The run, second by second</h2>
        <div className="bctl">
          <Segmented
            label="Horizontal axis"
            value={mode}
            options={[
              { value: "time", label: "Time" },
              { value: "step", label: "Step" },
            ]}
            onChange={(next) => {
              setMode(next);
              setZoom(undefined);
            }}
          />
          {run.steps.length > 0 && (
            <Segmented
              label="Lines"
              value={lines}
              options={LINES.map((value) => ({ value, label: value === "raw" ? "Raw" : "Raw + smooth" }))}
              onChange={setLines}
            />
          )}
          <button type="button" className="btn sm" aria-pressed={table} onClick={() => setTable(!table)}>
            Table
          </button>
          {zoom && (
            <button type="button" className="btn sm" onClick={() => setZoom(undefined)}>
              Whole run
            </button>
          )}
        </div>
      </div>
      {narrow && <EventList events={end.events} t={t} onSeek={onSeek} />}
      <div className="lanebox" ref={ref}>
        {!narrow && <EventLane frame={frame} events={end.events} />}
        <Surface
          frame={frame}
          run={run}
          t={t}
          onSeek={onSeek}
          setView={setView}
          zoomBy={zoomBy}
          reset={() => setZoom(undefined)}
        >
          <Pan frame={frame} still={leaseStill} height={lineHeight}>
            <EventLines frame={leaseStill} events={end.events} height={lineHeight} />
          </Pan>
          <LeaseLane frame={frame} still={leaseStill} pieces={pieces} run={run} />
          {run.steps.length === 0 ? (
            <p className="noloss">No losses to draw: they aren’t on chain, and nobody has told any.</p>
          ) : (
            <div className="losslane">
              {!narrow && (
                <p className="lanelabel">
                  Loss<span>self-reported</span>
                </p>
              )}
              <LossScale steps={run.steps} left={frame.left} right={frame.right} width={frame.width} />
              <Pan frame={frame} still={lossStill} height={LOSS_HEIGHT}>
                <LossChart run={run} state={end} frame={lossStill} smooth={lines === "raw + smooth"} />
              </Pan>
              <Pan frame={frame} still={markStill} height={LOSS_HEIGHT} pad={6}>
                <LossMarks frame={markStill} run={run} end={end} />
              </Pan>
            </div>
          )}
          <CheckpointLane frame={frame} still={checkpointStill} state={end} run={run} />
          <AxisLane frame={frame} />
        </Surface>
      </div>
      <BoardLegend run={run} end={end} />
      {table && <StepTable run={run} end={end} t={t} onSeek={onSeek} />}
    </section>
  );
}

const LANES_HEIGHT = 56 + LOSS_HEIGHT + 92;

/** Keeps one frame, and with it what is drawn in it, while the view only moves. */
function useStill(at: { run: RunData; frame: Frame; whole: View; narrow: boolean; phase: number }): Frame {
  const { anchor, make } = stillFrame(at.run, at.frame, at.whole, at.narrow, at.phase);
  const { mode, width } = at.frame;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view that only moves keeps the anchor, and so the drawing
  return useMemo(make, [at.run, mode, width, at.narrow, anchor[0], anchor[1]]);
}
