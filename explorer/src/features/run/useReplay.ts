import { useCallback, useEffect, useRef, useState } from "react";

export const RUN_SPEEDS = [1, 4, 16] as const;
export type RunSpeed = (typeof RUN_SPEEDS)[number];

export interface Replay {
  readonly t: number;
  readonly playing: boolean;
  readonly speed: RunSpeed;
  readonly seek: (t: number) => void;
  readonly toggle: () => void;
  readonly setSpeed: (speed: RunSpeed) => void;
}

/** Plays a recording against the clock. Playing from the end starts over; it stops at the end. */
export function useReplay(duration: number, startAt: number): Replay {
  const [t, setT] = useState(startAt);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<RunSpeed>(4);
  const at = useRef(t);
  at.current = t;

  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      const next = Math.min(duration, at.current + Math.min(250, now - last) * speed);
      last = now;
      at.current = next;
      setT(next);
      if (next >= duration) setPlaying(false);
      else frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, duration]);

  const seek = useCallback((to: number) => setT(Math.min(Math.max(0, to), duration)), [duration]);
  const toggle = useCallback(() => {
    setPlaying((was) => {
      if (!was && at.current >= duration) setT(0);
      return !was;
    });
  }, [duration]);
  return { t, playing, speed, seek, toggle, setSpeed };
}
