import { GpuchainError } from "@gpuchain/sdk/daemon";

/** A span of a day in minutes from midnight, local time; `from` after `to` runs over midnight. */
export interface HourSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads `22:00-07:00` or several with commas, `18-23,12:30-13:30`. @throws GpuchainError `CONFIG_INVALID`
 *
 * @example parseHours("22-7") // [{ from: 1320, to: 420 }]
 */
export function parseHours(raw: string): readonly HourSpan[] {
  return raw.split(",").map((text) => {
    const match = /^\s*(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?\s*$/.exec(text);
    const [from, to] = [minutes(match?.[1], match?.[2]), minutes(match?.[3], match?.[4])];
    if (from === undefined || to === undefined || from === to)
      throw new GpuchainError("CONFIG_INVALID", `expected hours like 22:00-07:00, got "${text.trim()}"`);
    return { from, to };
  });
}

function minutes(hours: string | undefined, rest = "0"): number | undefined {
  const total = Number(hours) * 60 + Number(rest);
  return hours === undefined || Number(rest) > 59 || total > 24 * 60 ? undefined : total % (24 * 60);
}

/** Whether this moment lies in one of the spans. Ends are half-open: at the last minute's end it is over. */
export function isWorkingTime(spans: readonly HourSpan[], now: Date): boolean {
  const minute = now.getHours() * 60 + now.getMinutes();
  return spans.some(({ from, to }) => (from < to ? minute >= from && minute < to : minute >= from || minute < to));
}

/** `22:00-07:00, 12:30-13:30` */
export const describeHours = (spans: readonly HourSpan[]): string =>
  spans.map(({ from, to }) => `${clock(from)}-${clock(to)}`).join(", ");

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
