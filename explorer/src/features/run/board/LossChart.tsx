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

/** Loss of every step: raw thin, smoothed thick, refused dotted. Drawn on a canvas, two points a pixel at most. */
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
  const { left, right } = frame;
  const [from, to] = frame.view;
  const columns = useMemo(
    () => lossView(data, from, to, frame.width - left - right),
    [data, from, to, frame.width, left, right],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: width, view and points are set without rebuilding, below; `theme` re-reads the colours
  useEffect(() => {
    if (!host.current) return;
    const extent = lossExtent(run.steps) ?? { low: 0, high: 1 };
    const chart = new uPlot(options(data, extent, frame, smooth, host.current), columns, host.current);
    plot.current = chart;
    return () => {
      plot.current = undefined;
      chart.destroy();
    };
  }, [data, smooth, theme, left, right]);

  useEffect(() => {
    plot.current?.setSize({ width: frame.width, height: LOSS_HEIGHT });
  }, [frame.width]);
  useEffect(() => {
    const chart = plot.current;
    chart?.batch(() => {
      chart.setData(columns, false);
      chart.setScale("x", { min: from, max: to });
    });
  }, [columns, from, to]);

  return <div className="loss" ref={host} aria-hidden="true" />;
});

const frames = (run: RunData) => run.steps.length;

function options(data: LossData, extent: LossExtent, frame: Frame, smooth: boolean, host: Element): uPlot.Options {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    width: frame.width,
    height: LOSS_HEIGHT,
    padding: [LOSS_PADDING.top, frame.right, LOSS_PADDING.bottom, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: (_u, min, max) => [min, max], min: frame.view[0], max: frame.view[1], auto: false },
      y: { auto: false, range: () => [extent.low, extent.high] },
    },
    axes: [
      { show: false },
      {
        size: frame.left,
        gap: 8,
        font: `430 12px ${style.fontFamily}`,
        stroke: color("--ink-3"),
        grid: { stroke: color("--rule"), width: 1 },
        ticks: { show: false },
        values: (_u, values) => values.map((v) => String(Number(v.toPrecision(3)))),
      },
    ],
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
