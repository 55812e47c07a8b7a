import { clock } from "../../../format/time.ts";
import { Icon, type IconName } from "../../../ui/Icon.tsx";
import type { KeyEvent, Tone } from "../model/types.ts";

const ICONS: Readonly<Record<Tone, IconName>> = { plain: "dot", good: "check", bad: "cross" };

/** The timeline as a list, for narrow screens: what lies after the cursor is paler. */
export function EventList({
  events,
  t,
  onSeek,
}: {
  events: readonly KeyEvent[];
  t: number;
  onSeek: (t: number) => void;
}) {
  return (
    <ol className="evlist">
      {events
        .filter((event) => event.rank < 2)
        .map((event) => (
          <li
            key={`${event.t} ${event.title}`}
            className={[event.t > t && "f", event.tone === "bad" && "b"].filter(Boolean).join(" ")}
          >
            <button type="button" onClick={() => onSeek(event.t)}>
              <time className="num">{clock(event.t)}</time>
              <Icon name={ICONS[event.tone]} />
              <span>
                {event.title}
                {event.detail && `: ${event.detail}`}
              </span>
            </button>
          </li>
        ))}
    </ol>
  );
}
