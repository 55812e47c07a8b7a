/** Says that something is being read; nothing moves. */
export function Loading({ what = "Reading" }: { what?: string }) {
  return (
    <p className="wrap state" role="status">
      {what} …
    </p>
  );
}
