import type { Observer } from "@gpuchain/sdk/daemon";
import type { JobView } from "./jobView.ts";
import type { Transactions } from "./transactions.ts";

/** The same transactions, each as a span from its call to its receipt. */
export function tracedTransactions(inner: Transactions, observer: Pick<Observer, "span">): Transactions {
  const ofLease = ({ id, lease }: JobView) => ({ job: id.toString(), fence: Number(lease.fence) });
  return {
    ...inner,
    acquire: (job, eligibility, at, attempt) =>
      observer.span("acquire", { job: job.id.toString(), fence: Number(job.lease.fence + 1n), attempt }, () =>
        inner.acquire(job, eligibility, at, attempt),
      ),
    commit: (call) =>
      observer.span("commit", { job: call.job.toString(), fence: Number(call.fence), step: call.step }, () =>
        inner.commit(call),
      ),
    renew: (job) => observer.span("renew", ofLease(job), () => inner.renew(job)),
    release: (job) => observer.span("release", ofLease(job), () => inner.release(job)),
  };
}
