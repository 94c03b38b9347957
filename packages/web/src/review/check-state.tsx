import type { Review } from "@drover/core";
import { CheckIcon, SpinnerIcon } from "../ui/icons.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";

/** How the project's checks went, and what a merge waits for. */
export function CheckState({ review: { state, checks, into = "the target" } }: { review: Review }) {
  if (checks?.state === "failed") {
    return (
      <details className="text-sm">
        <summary className="w-fit text-bad">
          Check failed: <code className="wrap-anywhere font-mono text-xs">{checks.command}</code>
          {checks.reason && <span className="text-muted"> · {checks.reason}</span>}
        </summary>
        <ScrollBox
          aria-label="The end of its output"
          className="mt-1.5 max-h-48 overflow-auto rounded-md border border-line bg-raised px-2.5 py-1.5 font-mono text-xs"
        >
          {checks.tail || "It printed nothing."}
        </ScrollBox>
      </details>
    );
  }
  if (state === "merging") {
    return (
      <p role="status" className="flex items-center gap-1.5 text-muted text-sm">
        <SpinnerIcon size={14} />
        <span className="min-w-0">
          {checks?.state === "running" ? (
            <>
              Waiting for checks: <code className="wrap-anywhere font-mono text-xs">{checks.command}</code>
            </>
          ) : (
            `Waiting in line to merge into ${into}`
          )}
        </span>
      </p>
    );
  }
  if (checks?.state !== "passed") return null;
  return (
    <p className="flex items-center gap-1.5 text-good text-sm" title={checks.command}>
      <CheckIcon size={14} />
      Checks passed
    </p>
  );
}
