import { Link } from "@tanstack/react-router";
import { useHead } from "../../chain/useHead.ts";
import { useConfig } from "../../config/ConfigContext.ts";
import { count } from "../../format/number.ts";
import { Icon } from "../../ui/Icon.tsx";

/** Which network, at which block, and whether it answers. */
export function ChainStatus() {
  const { name } = useConfig();
  const head = useHead();
  if (head.health === "none") {
    return (
      <span className="live" title="This site has no chain behind it. Recordings and the simulation work.">
        <Icon name="ring" className="off" />
        Recordings only
      </span>
    );
  }
  const bad = head.health === "down" || head.health === "wrong-chain";
  const words = { down: "no answer", "wrong-chain": "wrong chain", stalled: "no new blocks", connecting: "connecting" };
  const problem = head.health in words ? words[head.health as keyof typeof words] : undefined;
  return (
    <Link to="/status" className={bad ? "live bad" : "live"} title={head.problem ?? `Block ${head.block}`}>
      <Icon name={bad ? "cross" : "dot"} className={bad ? "bad" : ""} />
      {name} <span className="blk num">{problem ?? (head.block === undefined ? "" : count(head.block))}</span>
    </Link>
  );
}
