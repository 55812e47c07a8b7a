import { Icon } from "../../ui/Icon.tsx";
import type { CheckpointInfo } from "./model/types.ts";

const ICON = { accept: "check", refuse: "cross", unavailable: "dash" } as const;
const CLASS = { accept: "vt a", refuse: "vt r", unavailable: "vt n" } as const;

/** Three tiles, one a seat: accept, refuse, none. */
export function Votes({ checkpoint }: { checkpoint: CheckpointInfo }) {
  return [0, 1, 2].map((seat) => {
    const vote = checkpoint.votes.find((v) => v.seat === seat);
    const text = `Seat ${seat + 1}: ${vote?.outcome ?? "no vote"}`;
    return (
      <span key={seat} className={vote ? CLASS[vote.outcome] : "vt n"} title={text}>
        <Icon name={vote ? ICON[vote.outcome] : "dash"} />
        <span className="vh">{text}. </span>
      </span>
    );
  });
}
