import { memo } from "react";
import type { Steps } from "../model/steps.ts";
import { LOSS_HEIGHT } from "./LossChart.tsx";
import { lossExtent, lossTicks, lossToPixel } from "./lossExtent.ts";

/** What the losses are read against: rules and their numbers. They stay where they are while the lines move. */
export const LossScale = memo(function LossScale(props: { steps: Steps; left: number; right: number; width: number }) {
  const { steps, left, right, width } = props;
  const extent = lossExtent(steps);
  if (!extent) return null;
  const y = lossToPixel(extent, LOSS_HEIGHT);
  return (
    <svg className="lanes lossscale" width={width} height={LOSS_HEIGHT} aria-hidden="true">
      {lossTicks(extent).map((loss) => (
        <g key={loss} transform={`translate(0 ${Math.round(y(loss)) + 0.5})`}>
          <path d={`M${left} 0H${width - right}`} />
          <text x={left - 8} y="4" textAnchor="end">
            {String(Number(loss.toPrecision(3)))}
          </text>
        </g>
      ))}
    </svg>
  );
});
