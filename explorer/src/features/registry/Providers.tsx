export function Providers() {
  return (
    <div className="wrap page">
      <h1>Providers</h1>
    </div>
  );
}
