import { useCallback, useEffect, useRef, useState } from "react";
import { DEFAULT_SIM } from "./sim/config.ts";
import { advance, begin, createSim, setCheating, setPower } from "./sim/simulate.ts";
import type { ProviderId, SimState } from "./sim/types.ts";

export const SPEEDS = [1, 4, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** A frame never counts for more than this: a tab that slept does not wake up to a finished run. */
const LONGEST_FRAME = 250;

/** Runs the pure simulation against the clock. It stands still while the page is hidden. */
export function useSimulation() {
  const [sim, setSim] = useState<SimState>(() => createSim(DEFAULT_SIM));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(4);
  const speedNow = useRef(speed);
  speedNow.current = speed;
  const running = playing && sim.phase === "running";

  useEffect(() => {
    if (!running) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      const passed = Math.min(LONGEST_FRAME, now - last);
      last = now;
      setSim((s) => advance(s, passed * speedNow.current));
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [running]);

  const toggle = useCallback(() => {
    setSim((s) => (s.phase === "ready" ? begin(s) : s));
    setPlaying((p) => !p);
  }, []);
  const reset = useCallback(() => {
    setSim(createSim(DEFAULT_SIM));
    setPlaying(false);
  }, []);
  /** Using a provider's switch starts the run too: nobody should have to find Start first. */
  const act = useCallback((change: (s: SimState) => SimState) => {
    setSim((s) => change(s.phase === "ready" ? begin(s) : s));
    setPlaying(true);
  }, []);

  return {
    sim,
    playing: running,
    speed,
    setSpeed,
    toggle,
    reset,
    power: (id: ProviderId, on: boolean) => act((s) => setPower(s, id, on)),
    cheat: (id: ProviderId, on: boolean) => act((s) => setCheating(s, id, on)),
  };
}
