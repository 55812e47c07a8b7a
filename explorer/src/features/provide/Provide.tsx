export function Provide() {
  return (
    <div className="wrap page">
      <h1>Provide</h1>
    </div>
  );
}
