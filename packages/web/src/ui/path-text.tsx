/** A path that is truncated to fit, but keeps its last part. */
export function PathText({ path }: { path: string }) {
  const at = path.lastIndexOf("/") + 1;
  return (
    <span className="inline-flex min-w-0 max-w-full whitespace-pre">
      {at > 0 && <span className="min-w-0 truncate">{path.slice(0, at)}</span>}
      <span className="max-w-full shrink-0 truncate">{path.slice(at)}</span>
    </span>
  );
}
