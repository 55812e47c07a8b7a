export function Status() {
  return (
    <div className="wrap page">
      <h1>Status</h1>
    </div>
  );
}
