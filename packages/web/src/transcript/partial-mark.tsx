/** The turn ended before this was finished: what is shown is all there is. */
export function PartialMark() {
  return (
    <p className="mt-1.5 flex items-center gap-2 text-2xs text-warn">
      <span aria-hidden="true" className="h-px w-4 bg-warn-dot" />
      Cut off here: the turn ended first
    </p>
  );
}
