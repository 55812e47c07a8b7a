import { Fragment, useState } from "react";
import { Icon } from "./Icon.tsx";

/** A command to copy out. */
export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="command">
      {/* Each word by itself: a line must not end between the dashes of an option and its name. */}
      <code>
        {text.split(" ").map((word, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words repeat, and never move
          <Fragment key={i}>
            {i > 0 && " "}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
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
