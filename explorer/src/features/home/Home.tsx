import { Link } from "@tanstack/react-router";
import { Icon } from "../../ui/Icon.tsx";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { Measured } from "./Measured.tsx";
import { Simulation } from "./Simulation.tsx";
import { Today } from "./Today.tsx";
import { useLatestRecording } from "./useLatestRecording.ts";

/** What it is, in one screen; then one to break, one that was measured, and what is still to be trusted. */
export function Home() {
  usePageTitle("Training on GPUs you don’t have to trust");
  const latest = useLatestRecording();
  return (
    <>
      <div className="wrap hero">
        <h1>
          <span>Rent a stranger’s GPU.</span> <span>Keep your run.</span> <span>Pay for steps that pass.</span>
        </h1>
        <div className="intro">
          <p className="lead">
            You lock a budget. Providers train, handing in a checkpoint every few steps. Three verifiers replay parts of
            it before it counts. What they accept is in your model and is paid for. What they refuse, or what died with
            a machine, is neither.
          </p>
          <p className="go">
            {latest.recording ? (
              <Link className="btn pri big" to="/runs/$id" params={{ id: latest.recording.slug }}>
                Watch a recorded run
              </Link>
            ) : (
              <Link className="btn pri big" to="/runs">
                See the runs
              </Link>
            )}
            <Link className="btn big" to="/post">
              Post a job
            </Link>
            <Link className="tl" to="/provide">
              Rent out your GPU
              <Icon name="arrow" />
            </Link>
          </p>
        </div>
      </div>
      <Simulation />
      <Measured latest={latest} />
      <Today />
      <section className="wrap sec honest" aria-labelledby="h-h">
        <header className="sechead">
          <h2 id="h-h">What you still have to trust</h2>
        </header>
        <div className="cols">
          <p>
            <b>Two of a job’s three verifiers.</b> If both lie, bad work passes. Their bonds are at stake, and budgets
            on public networks are capped at ten of the smallest bond, so that lying is dear.
          </p>
          <p>
            <b>The arbiter, a little.</b> It can send money that has not matured back to the client, and fine the seats
            it overturns. If it stays silent the verdict stands.
          </p>
          <p>
            <b>Not us.</b> No owner call moves, freezes or redirects money. A test lists every one of them.{" "}
            <Link to="/honestly">What doesn’t work yet</Link>
          </p>
        </div>
      </section>
    </>
  );
}
