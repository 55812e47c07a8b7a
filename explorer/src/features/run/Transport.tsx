import { clock } from "../../format/time.ts";
import { Icon } from "../../ui/Icon.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { type FillKind, fill } from "../../ui/Swatch.tsx";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { cursorText } from "./board/Surface.tsx";
import type { RunData } from "./model/recordedRun.ts";
import { type Fate, leasePieces } from "./model/steps.ts";
import type { RunState } from "./model/types.ts";
import { type Replay, RUN_SPEEDS } from "./useReplay.ts";

const KIND: Readonly<Record<Fate, FillKind>> = { accepted: "pv", waiting: "wait", refused: "no", lost: "lost" };

/** Play, pause, scrub, speed, event by event. */
export function Transport({ run, end, replay }: { run: RunData; end: RunState; replay: Replay }) {
  const { t, playing, speed, seek, toggle, setSpeed } = replay;
  const duration = Math.max(1, run.duration);
  const next = end.events.find((e) => e.t > t + 1);
  const previous = end.events.findLast((e) => e.t < t - 1);
  const slower = () => setSpeed(RUN_SPEEDS[(RUN_SPEEDS.indexOf(speed) + 1) % RUN_SPEEDS.length] ?? 1);
  useShortcut(" ", "Play or pause the replay", toggle);
  useShortcut(",", "Previous event", () => previous && seek(previous.t));
  useShortcut(".", "Next event", () => next && seek(next.t));
  useShortcut("0", "Back to the start", () => seek(0));
  return (
    <section className="transport" aria-label="Replay">
      <div className="wrap">
        <button type="button" className="ib pp" aria-label={playing ? "Pause" : "Play"} onClick={toggle}>
          <Icon name={playing ? "pause" : "play"} />
        </button>
        <button type="button" className="ib bk" aria-label="Back to start" onClick={() => seek(0)}>
          <Icon name="rewind" />
        </button>
        <span className="clock num">
          <b>{clock(t, true)}</b> / {clock(run.duration)}
        </span>
        <div className="track">
          <input
            type="range"
            min={0}
            max={Math.ceil(duration)}
            step={100}
            value={Math.round(t)}
            aria-label="Time in the recording"
            aria-valuetext={cursorText(run, t)}
            onChange={(event) => seek(Number(event.target.value))}
          />
          <div className="marks" aria-hidden="true">
            {end.events
              .filter((e) => e.tone !== "plain")
              .map((e) => (
                <i
                  key={`${e.t} ${e.title}`}
                  className={e.tone === "bad" ? "b" : undefined}
                  style={{ left: `${(e.t / duration) * 100}%` }}
                />
              ))}
          </div>
          <div className="tb" aria-hidden="true">
            {leasePieces(end, run.duration, run.meta.steps).map((p) => (
              <span
                key={`${p.fromT} ${p.fate}`}
                style={{ left: `${(p.fromT / duration) * 100}%`, width: `${((p.toT - p.fromT) / duration) * 100}%` }}
              >
                <svg width="100%" height="100%" aria-hidden="true">
                  <rect
                    width="100%"
                    height="100%"
                    fill={fill(KIND[p.fate], run.meta.parties.get(p.provider)?.index ?? 0)}
                  />
                </svg>
              </span>
            ))}
          </div>
        </div>
        <Segmented
          label="Speed"
          value={speed}
          options={RUN_SPEEDS.map((value) => ({ value, label: `${value}×` }))}
          onChange={setSpeed}
        />
        <button type="button" className="btn sm spd" aria-label={`Speed, ${speed} times`} onClick={slower}>
          {speed}×
        </button>
        <span className="evj">
          <button type="button" className="btn sm" disabled={!previous} onClick={() => previous && seek(previous.t)}>
            Previous event <kbd>,</kbd>
          </button>
          <button type="button" className="btn sm" disabled={!next} onClick={() => next && seek(next.t)}>
            Next event <kbd>.</kbd>
          </button>
        </span>
      </div>
    </section>
  );
}
