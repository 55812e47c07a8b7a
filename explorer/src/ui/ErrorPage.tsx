/** What a page shows when it fails: what happened, and what to do. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  return (
    <div className="wrap page">
      <h1>This page failed</h1>
      <p className="lead">
        {error instanceof Error ? error.message : String(error)} Nothing was changed by it. Reload, or go on with
        another page.
      </p>
      <p className="go">
        <button type="button" className="btn" onClick={reset ?? (() => window.location.reload())}>
          Try again
        </button>
      </p>
    </div>
  );
}
