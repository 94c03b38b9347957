/** Marks text that was unfinished when its turn ended. */
export function PartialMark() {
  return (
    <p className="mt-1.5 flex items-center gap-2 text-2xs text-warn">
      <span aria-hidden="true" className="h-px w-4 bg-warn-dot" />
      Interrupted here
    </p>
  );
}
