import * as Radix from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

/**
 * A modal dialog. Radix's own overlay is left out: its scroll lock writes a style element, which the content-security
 * policy forbids; ours is a plain element and the page behind simply keeps its scroll position.
 */
export function Dialog(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Radix.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Radix.Portal>
        <div className="backdrop" aria-hidden="true" />
        <Radix.Content
          className={props.className ? `dialog ${props.className}` : "dialog"}
          {...(props.description ? {} : { "aria-describedby": undefined })}
        >
          <header>
            <Radix.Title>{props.title}</Radix.Title>
            <Radix.Close className="ib" aria-label="Close">
              <Icon name="cross" />
            </Radix.Close>
          </header>
          {props.description && <Radix.Description className="dim">{props.description}</Radix.Description>}
          {props.children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
