import { useState } from "react";
import { Icon } from "./Icon.tsx";

/** A command to copy out. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="command">
      <code>{text}</code>
      <button
        type="button"
        className="btn sm"
        onClick={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        <Icon name={copied ? "check" : "copy"} />
        {copied ? "Copied" : "Copy"}
      </button>
      <span className="vh" role="status">
        {copied ? "Copied" : ""}
      </span>
    </div>
  );
}
