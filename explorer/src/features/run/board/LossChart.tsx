import { memo, useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { RunData } from "../model/recordedRun.ts";
import type { RunState } from "../model/types.ts";
import type { Frame } from "./axis.ts";
import { fateKey, type LossData, lossData } from "./lossData.ts";
import { LOSS_PADDING, type LossExtent, lossExtent } from "./lossExtent.ts";
import { lossView } from "./lossView.ts";
import { useThemeKey } from "./useThemeKey.ts";

export const LOSS_HEIGHT = 216;

/**
 * Loss of every step: raw thin, smoothed thick, refused dotted. Drawn on a canvas, two points a pixel at most, as far as the frame
 * reaches; the scale stands beside it (`LossScale`), so that a pan moves the canvas only.
 */
export const LossChart = memo(function LossChart(props: {
  run: RunData;
  state: RunState;
  frame: Frame;
  smooth: boolean;
}) {
  const { run, state, frame, smooth } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = useThemeKey();
  const fates = fateKey(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is new at every frame of a replay; only fates change the lines
  const data = useMemo(() => lossData(run, state, frame.mode), [run, frames(run), fates, frame.mode]);
  const [left, width] = [frame.left - frame.beyond, frame.width - frame.left - frame.right + 2 * frame.beyond];
  const [from, to] = [frame.value(left), frame.value(left + width)];
  const columns = useMemo(() => lossView(data, from, to, width), [data, from, to, width]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: width, view and points are set without rebuilding, below; `theme` re-reads the colours
  useEffect(() => {
    if (!host.current) return;
    const extent = lossExtent(run.steps) ?? { low: 0, high: 1 };
    const chart = new uPlot(options(data, extent, { width, from, to }, smooth, host.current), columns, host.current);
    plot.current = chart;
    return () => {
      plot.current = undefined;
      chart.destroy();
    };
  }, [data, smooth, theme]);

  useEffect(() => {
    plot.current?.setSize({ width, height: LOSS_HEIGHT });
  }, [width]);
  useEffect(() => {
    const chart = plot.current;
    chart?.batch(() => {
      chart.setData(columns, false);
      chart.setScale("x", { min: from, max: to });
    });
  }, [columns, from, to]);

  return <div className="loss" style={{ left }} ref={host} aria-hidden="true" />;
});

const frames = (run: RunData) => run.steps.length;

function options(
  data: LossData,
  extent: LossExtent,
  { width, from, to }: { width: number; from: number; to: number },
  smooth: boolean,
  host: Element,
): uPlot.Options {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    width,
    height: LOSS_HEIGHT,
    padding: [LOSS_PADDING.top, 0, LOSS_PADDING.bottom, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: (_u, min, max) => [min, max], min: from, max: to, auto: false },
      y: { auto: false, range: () => [extent.low, extent.high] },
    },
    axes: [{ show: false }, { show: false }],
    series: [
      {},
      ...data.series.flatMap(({ index, look }) => {
        const stroke = color(`--p${Math.min(6, index) || 4}`);
        const dash = look === "refused" ? [2, 3] : look === "lost" ? [1, 3] : [];
        return [
          { stroke, alpha: 0.42, width: 1, points: { show: false }, ...(smooth ? {} : { dash }) },
          { stroke, width: look === "lost" ? 1.5 : 2.25, dash, show: smooth, points: { show: false } },
        ];
      }),
    ],
  };
}
