import { useState, useSyncExternalStore } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { setShortcutsOn, shortcuts, shortcutsOn } from "./shortcuts.ts";

const NAMES: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→" };

/** Lists what the keys do on this page; they can be switched off for those whom they disturb. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const list = useSyncExternalStore(shortcuts.subscribe, shortcuts.list);
  const [on, setOn] = useState(shortcutsOn);
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <label className="switch">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            setShortcutsOn(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Single-key shortcuts
      </label>
      <dl className={on ? "keys" : "keys off"}>
        {list.map((shortcut) => (
          <div key={`${shortcut.keys} ${shortcut.does}`}>
            <dt>
              {shortcut.keys === " " ? (
                <kbd>Space</kbd>
              ) : (
                shortcut.keys.split(" ").map((key) => <kbd key={key}>{NAMES[key] ?? key}</kbd>)
              )}
            </dt>
            <dd>{shortcut.does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>⌘</kbd>
            <kbd>K</kbd>
          </dt>
          <dd>Search and commands, also with Ctrl; works when the others are off</dd>
        </div>
      </dl>
    </Dialog>
  );
}
