// Output for people: lines that stay, and on a terminal one line at the bottom that changes in place.
export interface Terminal {
  /** whether the line at the bottom can change in place */
  live: boolean;
  colour: boolean;
  line(text: string): void;
  status(text: string): void;
  /** what is being done right now; a line of its own where nothing can change in place */
  progress(text: string): void;
  clear(): void;
}

export function createTerminal(out: NodeJS.WriteStream): Terminal {
  const live = out.isTTY === true;
  let bottom = "";
  const erase = () => {
    if (bottom) out.write("\r\x1b[K");
  };
  const draw = () => {
    if (bottom) out.write(bottom.slice(0, Math.max(20, (out.columns ?? 80) - 1)));
  };
  const terminal: Terminal = {
    live,
    colour: live && !process.env.NO_COLOR,
    line(text) {
      erase();
      out.write(`${text}\n`);
      draw();
    },
    status(text) {
      if (!live) return;
      erase();
      bottom = text;
      draw();
    },
    progress(text) {
      if (live) terminal.status(`  ${text} …`);
      else out.write(`  ${text} …\n`);
    },
    clear() {
      erase();
      bottom = "";
    },
  };
  return terminal;
}
