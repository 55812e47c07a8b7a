import { afterEach, expect, test } from "vitest";
import { addShortcut, handleKey, shortcuts } from "./shortcuts.ts";

const press = (key: string, target: object = { tagName: "BODY" }, modifiers = {}) =>
  handleKey({ key, ctrlKey: false, metaKey: false, altKey: false, target: target as EventTarget, ...modifiers });

const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const off of cleanup.splice(0)) off();
});

function count(keys: string) {
  const calls = { n: 0 };
  cleanup.push(addShortcut({ keys, does: "count", run: () => calls.n++ }));
  return calls;
}

test("a key runs its shortcut; the newest registration wins and goes away with its page", () => {
  const old = count("k");
  const off = addShortcut({ keys: "k", does: "newer", run: () => undefined });
  expect(press("K")).toBe(true);
  off();
  press("k");
  expect(old.n).toBe(1);
  expect(shortcuts.list()).toHaveLength(1);
});

test("sequences need both keys, and a wrong second key runs nothing", () => {
  const go = count("g r");
  press("g");
  press("x");
  press("r");
  expect(go.n).toBe(0);
  press("g");
  expect(press("r")).toBe(true);
  expect(go.n).toBe(1);
});

test("nothing runs inside a field, in a dialog, or with a modifier; a slider is no field", () => {
  const k = count("k");
  press("k", { tagName: "INPUT", type: "text" });
  press("k", { tagName: "TEXTAREA" });
  press("k", { tagName: "DIV", isContentEditable: true });
  press("k", { tagName: "DIV", closest: () => ({}) });
  press("k", { tagName: "BODY" }, { metaKey: true });
  expect(k.n).toBe(0);
  press("k", { tagName: "INPUT", type: "range" });
  expect(k.n).toBe(1);
});

test("a focused button keeps its own space and Enter", () => {
  const space = count(" ");
  expect(press(" ", { tagName: "BUTTON" })).toBe(false);
  expect(press(" ")).toBe(true);
  expect(space.n).toBe(1);
});
