import { formatUsdc } from "../../format/usdc.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { Swatch } from "../../ui/Swatch.tsx";
import type { ProviderId, SimProviderConfig, SimState } from "./sim/types.ts";
import { INDEX } from "./simStrip.ts";

interface Props {
  readonly sim: SimState;
  readonly onPower: (id: ProviderId, on: boolean) => void;
  readonly onCheat: (id: ProviderId, on: boolean) => void;
}

/** One row a provider: what it asks, what it does, what it has earned, and two switches. */
export function SimProviders(props: Props) {
  return (
    <table className="prov">
      <thead>
        <tr>
          <th>Provider</th>
          <th className="r">USDC per step</th>
          <th>Doing</th>
          <th className="r">Steps in the model</th>
          <th className="r">Earned</th>
          <th>
            <span className="vh">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.sim.config.providers.map((config) => (
          <Row key={config.id} {...props} config={config} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ sim, config, onPower, onCheat }: Props & { config: SimProviderConfig }) {
  const { id } = config;
  const provider = sim.providers[id];
  const holds = sim.lease?.provider === id;
  const doing = activity(sim, id);
  const over = sim.phase === "completed" || sim.phase === "closed";
  const thrown = [
    provider.refusedSteps > 0 && `${provider.refusedSteps} refused`,
    provider.lostSteps > 0 && `${provider.lostSteps} lost`,
    holds && sim.lease && unchecked(sim, id) > 0 && `${unchecked(sim, id)} not checked`,
  ].filter(Boolean);
  return (
    <tr>
      <th scope="row">
        <Swatch kind="pv" n={INDEX[id]} />
        <b>{id}</b> <span className="dim">{config.name}</span>
      </th>
      <td className="num r pr">{formatUsdc(config.price, 4)}</td>
      <td className="st">
        <Icon name={doing.icon} className={doing.tone} />
        {doing.text}
      </td>
      <td className="num r ac">
        {provider.acceptedSteps}
        <span className="sub">
          <span className="ponly">in the model{thrown.length > 0 ? ", " : ""}</span>
          {thrown.join(", ")}
        </span>
      </td>
      <td className="num r er">{formatUsdc(provider.credited, 4)}</td>
      <td className="act">
        {provider.barredAt !== undefined ? (
          <span className="dim">Out of this job</span>
        ) : (
          <>
            <button type="button" className="btn sm" disabled={over} onClick={() => onPower(id, !provider.on)}>
              <Icon name={provider.on ? "plug" : "play"} />
              {provider.on ? "Stop" : "Start"}
              <span className="vh"> {id}</span> {holds && provider.on && <kbd>K</kbd>}
            </button>
            <button
              type="button"
              className="btn sm"
              aria-pressed={provider.cheating}
              disabled={over || !provider.on}
              onClick={() => onCheat(id, !provider.cheating)}
            >
              {provider.cheating ? "Stop cheating" : "Make it cheat"}
              <span className="vh"> ({id})</span>
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

function activity(sim: SimState, id: ProviderId): { icon: IconName; tone: string; text: string } {
  const provider = sim.providers[id];
  const lease = sim.lease?.provider === id ? sim.lease : undefined;
  if (provider.barredAt !== undefined)
    return { icon: "cross", tone: "bad", text: `Barred: refused at ${provider.barredAt}` };
  if (lease?.silentSince !== undefined) return { icon: "cross", tone: "bad", text: `Silent at step ${lease.step}` };
  if (!provider.on) return { icon: "ring", tone: "", text: "Stopped" };
  if (lease) {
    const how = provider.cheating ? "Handing in junk," : "Training";
    return { icon: "dot", tone: provider.cheating ? "bad" : "ok", text: `${how} step ${lease.step + 1}` };
  }
  if (sim.phase === "completed" || sim.phase === "closed") return { icon: "ring", tone: "", text: "Job over" };
  const waits = sim.openSince !== undefined ? "Waiting for its price" : "Standing by";
  return { icon: "ring", tone: "", text: provider.cheating ? `${waits}, will cheat` : waits };
}

function unchecked(sim: SimState, id: ProviderId): number {
  const waiting = sim.pending.filter((p) => p.provider === id).reduce((n, p) => n + p.to - p.from, 0);
  return waiting + (sim.lease?.provider === id ? sim.lease.step - sim.lease.base : 0);
}
