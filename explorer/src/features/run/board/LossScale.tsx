import { memo } from "react";
import type { RunData } from "../model/recordedRun.ts";
import type { Frame } from "./axis.ts";
import { LOSS_HEIGHT } from "./LossChart.tsx";
import { lossExtent, lossTicks, lossToPixel } from "./lossExtent.ts";

/** What the losses are read against: rules and their numbers. They stay where they are while the lines move. */
export const LossScale = memo(function LossScale({ frame, run }: { frame: Frame; run: RunData }) {
  const extent = lossExtent(run.steps);
  if (!extent) return null;
  const y = lossToPixel(extent, LOSS_HEIGHT);
  return (
    <svg className="lanes lossscale" width={frame.width} height={LOSS_HEIGHT} aria-hidden="true">
      {lossTicks(extent).map((loss) => (
        <g key={loss} transform={`translate(0 ${Math.round(y(loss)) + 0.5})`}>
          <path d={`M${frame.left} 0H${frame.width - frame.right}`} />
          <text x={frame.left - 8} y="4" textAnchor="end">
            {String(Number(loss.toPrecision(3)))}
          </text>
        </g>
      ))}
    </svg>
  );
});
