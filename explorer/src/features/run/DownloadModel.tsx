import { useState } from "react";
import { fetchChecked } from "../../chain/fetchChecked.ts";
import { saveBytes } from "./save.ts";

/** A model of the demo's size is a few megabytes; a browser tab should not hold more than this. */
const MAX_BYTES = 2_000_000_000;

/** The newest accepted checkpoint, fetched from a gateway and hashed here before it is saved. */
export function DownloadModel(props: { gateways: readonly string[]; stateHash: string; name: string }) {
  const { gateways, stateHash, name } = props;
  const [state, setState] = useState<"idle" | "busy" | string>("idle");
  const go = () => {
    setState("busy");
    fetchChecked(gateways, stateHash, MAX_BYTES).then(
      (bytes) => {
        saveBytes(name, bytes);
        setState("idle");
      },
      (error: unknown) => setState(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <button type="button" className="btn" disabled={state === "busy"} onClick={go}>
        {state === "busy" ? "Fetching and hashing …" : "Download model"}
      </button>
      {state !== "idle" && state !== "busy" && (
        <p className="bad hint" role="alert">
          {state}
        </p>
      )}
    </>
  );
}
