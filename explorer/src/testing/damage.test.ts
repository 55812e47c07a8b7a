// What a stranger made, a ledger's rows or a recording's file, may be damaged anywhere. Either it is refused with a reason, or every page
// can be worked out from it: nothing throws, nothing takes without end.
import { parseRecording, type Recording } from "@gpuchain/sdk/records";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OFFLINE } from "../config/config.ts";
import { journal, selfNames } from "../features/ledger/model/journal.ts";
import { openClaims } from "../features/ledger/model/openClaims.ts";
import { rebuild, totals } from "../features/ledger/model/rebuild.ts";
import { demandAt } from "../features/provide/estimate.ts";
import { registryRecords } from "../features/registry/records.ts";
import { fullView, makeFrame, ticks } from "../features/run/board/axis.ts";
import { lossData } from "../features/run/board/lossData.ts";
import { lossExtent, lossTicks } from "../features/run/board/lossExtent.ts";
import { lossView } from "../features/run/board/lossView.ts";
import { liveRun } from "../features/run/live/liveRun.ts";
import { NO_TELEMETRY } from "../features/run/live/telemetry.ts";
import { splitEscrow } from "../features/run/model/money.ts";
import { createPlayer } from "../features/run/model/player.ts";
import { receiptsOf } from "../features/run/model/receipts.ts";
import { type RunData, recordedRun } from "../features/run/model/recordedRun.ts";
import { leasePieces } from "../features/run/model/steps.ts";
import { jobRows } from "../features/runs/jobRows.ts";
import { formatDay, formatTime } from "../format/time.ts";
import { type LedgerEvent, toEvent } from "../graphql/journalRow.ts";
import { summarize } from "../recordings/summary.ts";
import { damage, damages } from "./damage.ts";
import { hugeJournal } from "./hugeJournal.ts";
import { ADDRESS } from "./madeUp.ts";
import { makeRecording } from "./makeRecording.ts";

const recording = makeRecording({ steps: 100, interval: 20, killAt: 47 });
const rows = hugeJournal();

/** The reason why something was refused; what isn't an Error with words in it is a fault. */
function refusal(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    return (error as Error).message;
  }
}

function showRun(run: RunData): void {
  const end = createPlayer(run.meta).at(run.facts, run.duration);
  const m = splitEscrow(end, run.meta);
  const sum = m.paid + m.owed + m.locked + m.refundable + m.refunded;
  if (end.status !== "settled") expect(sum).toBe(end.money.budget);
  receiptsOf(run, end);
  leasePieces(end, run.duration, run.meta.steps);
  const extent = lossExtent(run.steps);
  if (extent) expect(lossTicks(extent).length).toBeLessThan(20);
  for (const mode of ["time", "step"] as const) {
    const frame = makeFrame(run, mode, 900, fullView(run, mode), false);
    expect(ticks(frame).length).toBeLessThan(50);
    const columns = lossView(lossData(run, end, mode), frame.view[0], frame.view[1], 700);
    expect(columns[0].length).toBeLessThan(10_000);
  }
  formatDay(run.startedAt);
}

test("a recording with one value damaged is refused with the reason, or replays", () => {
  const seen = { refused: 0, shown: 0 };
  fc.assert(
    fc.property(damages, (how) => {
      const damaged = damage(recording, how);
      let checked: Recording | undefined;
      const reason = refusal(() => {
        checked = parseRecording(damaged);
      });
      if (!checked) {
        expect(reason).toMatch(/^Not a recording: .+: .+/);
        seen.refused++;
        return;
      }
      showRun(recordedRun(checked));
      summarize("damaged", checked, 1);
      seen.shown++;
    }),
    { numRuns: 250 },
  );
  expect(Math.min(seen.refused, seen.shown)).toBeGreaterThan(0);
});

test("a ledger's row with one value damaged is refused, or every page can be worked out", () => {
  const seen = { refused: 0, shown: 0 };
  fc.assert(
    fc.property(damages, (how) => {
      let events: LedgerEvent[] = [];
      const reason = refusal(() => {
        events = damage(rows, how).map(toEvent);
      });
      if (reason !== undefined) {
        expect(reason).toBe("What the ledger sends is no journal.");
        seen.refused++;
        return;
      }
      totals(rebuild(events));
      journal(events);
      selfNames(events);
      openClaims(events, ADDRESS.A ?? "");
      registryRecords(events);
      for (const { postedAt } of jobRows(events)) formatTime(postedAt ?? 0);
      demandAt(events, 1n);
      const run = liveRun("1", events, NO_TELEMETRY, OFFLINE, 1_762_264_900_000);
      if (run) showRun(run);
      seen.shown++;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(seen.refused, seen.shown)).toBeGreaterThan(0);
});

test("a gateway that tells of steps beyond the job's last is passed over", () => {
  const events = hugeJournal().map(toEvent);
  const small = events.map((e) =>
    e.name === "JobPosted" ? { ...e, args: { ...e.args, terms: { totalSteps: 400 } } } : e,
  );
  const steps = [7, 400, 401, 4e9, 2 ** 52].map((step) => ({
    fence: 1,
    step,
    loss: 0.5,
    ms: 5,
    at: 1_762_264_850_000,
  }));
  const run = liveRun("1", small, { ...NO_TELEMETRY, steps }, OFFLINE, 1_762_264_900_000);
  expect([...(run?.steps.step ?? [])]).toEqual([7, 400]);
});
