import type { Journal } from "@gpuchain/sdk/daemon";
import type { BlobPurpose } from "@gpuchain/sdk/gateway";
import type { Hex } from "@gpuchain/sdk/records";

/** Why a blob is kept: one row per job and purpose. A blob without claims is garbage. */
export interface Claim {
  readonly sha256: Hex;
  readonly job: bigint;
  readonly purpose: BlobPurpose;
  /** 0 for what belongs to the job itself */
  readonly fence: bigint;
  readonly owner: string;
  readonly size: number;
  /** held-out data: for verifiers and the job's client only */
  readonly restricted: boolean;
  readonly at: number;
}

type Row = {
  sha256: string;
  job: string;
  purpose: string;
  fence: string;
  owner: string;
  size: number;
  restricted: number;
  at: number;
};

const fromRow = (row: Row): Claim => ({
  ...row,
  sha256: row.sha256 as Hex,
  purpose: row.purpose as BlobPurpose,
  job: BigInt(row.job),
  fence: BigInt(row.fence),
  restricted: row.restricted === 1,
});

/** The journal's table of claims. */
export function createClaims(journal: Journal) {
  return {
    add(claim: Claim): void {
      journal.run(
        `INSERT INTO claim (sha256, job, purpose, fence, owner, size, restricted, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        claim.sha256,
        claim.job.toString(),
        claim.purpose,
        claim.fence.toString(),
        claim.owner,
        claim.size,
        claim.restricted ? 1 : 0,
        claim.at,
      );
    },
    of: (sha256: Hex): Claim[] => journal.all<Row>("SELECT * FROM claim WHERE sha256 = ?", sha256).map(fromRow),
    all: (): Claim[] => journal.all<Row>("SELECT * FROM claim").map(fromRow),
    ofFence: (job: bigint, fence: bigint, purpose: BlobPurpose): Claim[] =>
      journal
        .all<Row>(
          "SELECT * FROM claim WHERE job = ? AND fence = ? AND purpose = ?",
          job.toString(),
          fence.toString(),
          purpose,
        )
        .map(fromRow),
    bytesOf: (job: bigint, purpose: BlobPurpose): number =>
      journal.get<{ bytes: number }>(
        "SELECT COALESCE(SUM(size), 0) AS bytes FROM claim WHERE job = ? AND purpose = ?",
        job.toString(),
        purpose,
      )?.bytes ?? 0,
    totalBytes: (): number =>
      journal.get<{ bytes: number }>(
        "SELECT COALESCE(SUM(size), 0) AS bytes FROM (SELECT sha256, MAX(size) AS size FROM claim GROUP BY sha256)",
      )?.bytes ?? 0,
    remove(claim: Pick<Claim, "sha256" | "job" | "purpose" | "fence">): void {
      journal.run(
        "DELETE FROM claim WHERE sha256 = ? AND job = ? AND purpose = ? AND fence = ?",
        claim.sha256,
        claim.job.toString(),
        claim.purpose,
        claim.fence.toString(),
      );
    },
    setTrace(root: Hex, sha256: Hex): void {
      journal.run("INSERT INTO trace (root, sha256) VALUES (?, ?) ON CONFLICT DO NOTHING", root, sha256);
    },
    trace: (root: Hex): Hex | undefined =>
      journal.get<{ sha256: string }>("SELECT sha256 FROM trace WHERE root = ?", root)?.sha256 as Hex | undefined,
    /** What stands on chain of a blob that was committed: a trace's root, of anything else its hash. */
    chainHashesOf: ({ sha256, purpose }: Pick<Claim, "sha256" | "purpose">): Hex[] =>
      purpose === "trace"
        ? journal
            .all<{ root: string }>("SELECT root FROM trace WHERE sha256 = ?", sha256)
            .map(({ root }) => root as Hex)
        : [sha256],
    removeTracesOf(sha256: Hex): void {
      journal.run("DELETE FROM trace WHERE sha256 = ?", sha256);
    },
  };
}

export type Claims = ReturnType<typeof createClaims>;
