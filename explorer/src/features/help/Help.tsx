export function Help() {
  return (
    <div className="wrap page">
      <h1>Help</h1>
    </div>
  );
}
