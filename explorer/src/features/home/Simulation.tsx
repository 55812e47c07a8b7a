import { Strip } from "../../charts/Strip.tsx";
import { clock } from "../../format/time.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Swatch } from "../../ui/Swatch.tsx";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { SimMoney } from "./SimMoney.tsx";
import { SimProviders } from "./SimProviders.tsx";
import { describeSim, simStrip } from "./simStrip.ts";
import { SPEEDS, useSimulation } from "./useSimulation.ts";

/** Three providers to stop and to tempt; where the money goes shows at once. */
export function Simulation() {
  const { sim, playing, speed, setSpeed, toggle, reset, power, cheat } = useSimulation();
  const holder = sim.lease?.provider;
  const over = sim.phase === "completed" || sim.phase === "closed";
  useShortcut("k", "Pull the plug of whoever trains (simulation)", () => holder && power(holder, false));
  useShortcut(" ", "Start or pause the simulation", toggle, !over);
  const strip = simStrip(sim);
  return (
    <div className="wrap">
      <section className="sim" aria-labelledby="sim-h">
        <div className="simhead">
          <h2 id="sim-h">Pull a plug and see who gets paid</h2>
          <Badge kind="simulated">Simulated: speeds and prices are made up</Badge>
          <div className="ctl">
            {over ? (
              <button type="button" className="btn" onClick={reset}>
                Run it again
              </button>
            ) : (
              <button type="button" className={sim.phase === "ready" ? "btn call" : "btn"} onClick={toggle}>
                <Icon name={playing ? "pause" : "play"} />
                {sim.phase === "ready" ? "Start" : playing ? "Pause" : "Go on"}
              </button>
            )}
            <Segmented
              label="Speed"
              value={speed}
              options={SPEEDS.map((s) => ({ value: s, label: `${s}×` }))}
              onChange={setSpeed}
            />
            <button type="button" className="btn" onClick={reset} disabled={sim.phase === "ready"}>
              Reset
            </button>
          </div>
        </div>
        <SimProviders sim={sim} onPower={power} onCheat={cheat} />
        <div className="stripbox">
          <Strip steps={sim.config.totalSteps} perSegment={50} {...strip} label={describeSim(sim)} />
          <ul className="legend">
            <li className="lh">The model</li>
            <li>
              <Swatch kind="pv" n={1} />
              Solid: accepted, paid
            </li>
            <li>
              <Swatch kind="wait" n={0} />
              Diagonal: not checked yet
            </li>
            <li className="lh gapl">Above it, thrown away</li>
            <li>
              <Swatch kind="no" n={4} />
              Crossed: refused
            </li>
            <li>
              <Swatch kind="lost" n={0} />
              Hollow: lost
            </li>
          </ul>
        </div>
        <div className="simfoot">
          <SimMoney sim={sim} />
          <div className="log">
            <h3>What just happened</h3>
            {sim.log.length === 0 ? (
              <p className="dim">
                Nothing yet. Start it, then press <kbd>K</kbd> to pull the plug of whoever trains.
              </p>
            ) : (
              <ol>
                {sim.log.slice(0, 4).map((line) => (
                  <li key={`${line.at} ${line.text}`} className={line.bad ? "bad" : undefined}>
                    <time>{clock(line.at)}</time>
                    {line.text}
                  </li>
                ))}
              </ol>
            )}
            <p className="vh" aria-live="polite">
              {sim.log[0]?.text}
            </p>
          </div>
        </div>
        <p className="note dim">
          The rules are the contracts’. Left out: gas, and the dispute window, during which accepted money waits before
          it can be withdrawn.
        </p>
      </section>
    </div>
  );
}
