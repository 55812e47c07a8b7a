export function Honestly() {
  return (
    <div className="wrap page">
      <h1>Honestly</h1>
    </div>
  );
}
