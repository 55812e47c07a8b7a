/** One key ("k", "?", " ", "Enter") or a sequence ("g r"). */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

const active = new Set<Shortcut>();
const listeners = new Set<() => void>();
let snapshot: readonly Shortcut[] = [];
let prefix: string | undefined;
let prefixTimer: ReturnType<typeof setTimeout> | undefined;

function changed() {
  snapshot = [...active];
  for (const listener of listeners) listener();
}

/** Registers a shortcut for as long as the caller lives; the newest one for a key wins. */
export function addShortcut(shortcut: Shortcut): () => void {
  active.add(shortcut);
  changed();
  return () => {
    active.delete(shortcut);
    changed();
  };
}

export const shortcuts = {
  list: (): readonly Shortcut[] => snapshot,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const STORE = "shortcuts";

export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(STORE) !== "off";
  } catch {
    return true; // Storage may be blocked; the default is on.
  }
}

export function setShortcutsOn(on: boolean): void {
  try {
    localStorage.setItem(STORE, on ? "on" : "off");
  } catch {
    return; // Nothing to remember it in; it holds until the page is left.
  }
}

/** Handles one key press; true when a shortcut took it. Never inside a field, never with a modifier held. */
export function handleKey(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "target">): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !shortcutsOn() || takesText(event.target)) return false;
  // A focused button keeps its own space and Enter.
  if ((event.key === " " || event.key === "Enter") && isPressable(event.target)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = prefix ? `${prefix} ${key}` : key;
  clearTimeout(prefixTimer);
  prefix = undefined;
  const found = [...active].reverse().find((s) => s.keys === pressed);
  if (found) {
    found.run();
    return true;
  }
  if ([...active].some((s) => s.keys.startsWith(`${pressed} `))) {
    prefix = pressed;
    prefixTimer = setTimeout(() => {
      prefix = undefined;
    }, 1500);
    return true;
  }
  return false;
}

function takesText(target: EventTarget | null): boolean {
  const el = target as Partial<HTMLElement> | null;
  const name = el?.tagName;
  const range = name === "INPUT" && (el as HTMLInputElement).type === "range";
  return (
    (name === "INPUT" && !range) ||
    name === "TEXTAREA" ||
    name === "SELECT" ||
    el?.isContentEditable === true ||
    inDialog(el)
  );
}

function inDialog(el: Partial<HTMLElement> | null | undefined): boolean {
  return typeof el?.closest === "function" && el.closest("[role=dialog]") !== null;
}

function isPressable(target: EventTarget | null): boolean {
  return ["BUTTON", "A", "SUMMARY"].includes((target as Partial<HTMLElement> | null)?.tagName ?? "");
}
