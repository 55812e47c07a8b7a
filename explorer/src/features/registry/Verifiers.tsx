export function Verifiers() {
  return (
    <div className="wrap page">
      <h1>Verifiers</h1>
    </div>
  );
}
