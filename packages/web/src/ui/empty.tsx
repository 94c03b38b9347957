import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  /** Why there is nothing here, and what to do next. */
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  /** Announces the text to screen readers, for errors. */
  readonly alert?: boolean;
}

/** An empty state, centered. */
export function Empty({ title, icon, alert = false, children }: EmptyProps) {
  return (
    <div role={alert ? "alert" : undefined} className="m-auto w-full max-w-md px-6 py-12 text-center">
      {icon && (
        <span className="mx-auto mb-4 flex size-11 items-center justify-center rounded-full bg-raised text-muted">
          {icon}
        </span>
      )}
      <h2 className="text-balance font-semibold text-lg tracking-tight">{title}</h2>
      <div className="mt-1.5 text-pretty text-muted">{children}</div>
    </div>
  );
}

/** A path in a sentence; moves to a separate line before it breaks. */
export function PathWords({ path }: { path: string }) {
  return <span className="inline-block max-w-full break-words font-mono text-ink text-xs">{path}</span>;
}
