export function ProviderPage() {
  return (
    <div className="wrap page">
      <h1>ProviderPage</h1>
    </div>
  );
}
