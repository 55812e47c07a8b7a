export function Ledger() {
  return (
    <div className="wrap page">
      <h1>Ledger</h1>
    </div>
  );
}
