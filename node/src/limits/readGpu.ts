import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a card says of itself; a field that it does not tell is undefined. */
export interface GpuReading {
  readonly celsius: number | undefined;
  readonly watts: number | undefined;
  readonly memoryTotalMb: number | undefined;
  /** programs that compute on it, and how much of its memory each takes */
  readonly programs: readonly { readonly pid: number; readonly memoryMb: number | undefined }[];
}

const run = promisify(execFile);
const TIMEOUT_MS = 5_000;

async function ask(tool: string, query: string): Promise<string[][]> {
  const { stdout } = await run(tool, [query, "--format=csv,noheader,nounits"], { timeout: TIMEOUT_MS });
  const lines = stdout.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => line.split(",").map((cell) => cell.trim()));
}

/** The first card's name. @throws where there is none, or no such tool */
export async function gpuName(tool = "nvidia-smi"): Promise<string> {
  const name = (await ask(tool, "--query-gpu=name"))[0]?.join(", ");
  if (!name) throw new Error(`${tool} names no card`);
  return name;
}

/** Asks the driver's own tool about the first card. @throws where there is none, or no such tool */
export async function readGpu(tool = "nvidia-smi"): Promise<GpuReading> {
  const [cards, programs] = await Promise.all([
    ask(tool, "--query-gpu=temperature.gpu,power.draw,memory.total"),
    ask(tool, "--query-compute-apps=pid,used_memory"),
  ]);
  const [card] = cards;
  if (card === undefined) throw new Error(`${tool} names no card`);
  return {
    celsius: numberOf(card[0]),
    watts: numberOf(card[1]),
    memoryTotalMb: numberOf(card[2]),
    programs: programs.flatMap(([pid, memory]) => {
      const id = numberOf(pid);
      return id === undefined ? [] : [{ pid: id, memoryMb: numberOf(memory) }];
    }),
  };
}

/** `[N/A]` and the like stand for what this card does not tell. */
function numberOf(cell: string | undefined): number | undefined {
  const value = Number(cell);
  return cell === undefined || cell === "" || Number.isNaN(value) ? undefined : value;
}
