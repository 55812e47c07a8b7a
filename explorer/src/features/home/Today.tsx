interface Row {
  readonly when: string;
  readonly today: string;
  readonly source?: { readonly label: string; readonly url: string };
  readonly here: string;
}

/** Each "today" is somebody's published account, with where we read it. */
const ROWS: readonly Row[] = [
  {
    when: "The machine goes away",
    today: "A spot machine is taken, the manager doesn’t notice, and the job hangs for as long as it should have run.",
    source: { label: "skypilot 7117", url: "https://github.com/skypilot-org/skypilot/issues/7117" },
    here: "Two verifiers miss its pulse, sign it off the job, and the next provider starts from the last checkpoint.",
  },
  {
    when: "The work is wrong",
    today: "Two kinds of GPU rarely agree to the last bit, so an auditor can’t simply repeat the training.",
    source: { label: "arXiv 2403.09603", url: "https://arxiv.org/abs/2403.09603" },
    here: "Verifiers re-run intervals nobody could predict and measure how far the updates differ. Past the job’s published bound, the work is refused.",
  },
  {
    when: "The bill arrives",
    today: "By the second while the machine runs, whether or not it trained anything.",
    source: { label: "Vast.ai pricing", url: "https://docs.vast.ai/documentation/instances/pricing" },
    here: "By the step, at the price fixed with the lease, and only for steps the accepted model is made of.",
  },
  {
    when: "The work is done",
    today: "Interim bills were accepted for hours, then the last one was never paid.",
    source: { label: "yagna 3126", url: "https://github.com/golemfactory/yagna/issues/3126" },
    here: "What is owed is fixed when a checkpoint is accepted. Anyone can make the contract pay it; the client can’t withhold it.",
  },
  {
    when: "The account runs dry",
    today: "A deployment ran on with nothing left to pay for it, because nothing triggered the withdrawal.",
    source: { label: "akash 1635", url: "https://github.com/akash-network/node/issues/1635" },
    here: "No step is trained without its worst case locked beforehand. The budget is a hard cap.",
  },
  {
    when: "You ask where the money is",
    today: "A balance on somebody’s dashboard.",
    here: "Your browser asks the contract itself, and subtracts.",
  },
];

/** What goes wrong without it, and what the contracts enforce instead. */
export function Today() {
  return (
    <section className="wrap sec" aria-labelledby="t-h">
      <header className="sechead">
        <h2 id="t-h">What usually goes wrong, and what happens here</h2>
        <p>
          Left: what users of today’s GPU markets reported, with where we read it. Right: what the contracts enforce.
        </p>
      </header>
      <table className="vs">
        <thead>
          <tr>
            <th>When</th>
            <th>Today</th>
            <th>Here</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row.when}>
              <th scope="row">{row.when}</th>
              <td data-h="Today">
                <span>
                  {row.today}{" "}
                  {row.source && (
                    <a className="cite" href={row.source.url} rel="noreferrer">
                      {row.source.label}
                    </a>
                  )}
                </span>
              </td>
              <td data-h="Here">{row.here}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
