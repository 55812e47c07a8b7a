export function Runs() {
  return (
    <div className="wrap page">
      <h1>Runs</h1>
    </div>
  );
}
