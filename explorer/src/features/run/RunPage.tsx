export function RunPage() {
  return (
    <div className="wrap page">
      <h1>RunPage</h1>
    </div>
  );
}
