/** Milliseconds as a run's clock: "2:36.0"; without tenths "2:36"; past an hour "1:02:36". */
export function clock(ms: number, tenths = false): string {
  const unit = tenths ? 100 : 1000;
  const total = Math.floor(Math.max(0, ms) / unit) * unit;
  const hours = Math.floor(total / 3_600_000);
  const minutes = Math.floor((total % 3_600_000) / 60_000);
  const seconds = Math.floor((total % 60_000) / 1000);
  const head = hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}` : `${minutes}`;
  const tail = `${head}:${String(seconds).padStart(2, "0")}`;
  return tenths ? `${tail}.${Math.floor((total % 1000) / 100)}` : tail;
}

/** A span as a person says it: "0.7 s", "24 s", "3 min", "2 h", "5 d". */
export function span(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} d`;
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "4 Nov 2026"; "–" for a moment that no calendar has. */
export const formatDay = (date: Date): string => (Number.isNaN(date.getTime()) ? "–" : day.format(date));

/** Seconds since the epoch as "14:06:50", local time. */
export const formatTime = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "–" : date.toLocaleTimeString("en-GB", { hour12: false });
};
