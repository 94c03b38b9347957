import { exactText } from "@drover/core";
import type { ReactNode } from "react";

interface ConflictingFilesProps {
  readonly title: ReactNode;
  readonly files: readonly string[];
  /** Buttons: what can be done about it. */
  readonly children?: ReactNode;
}

const shown = 8;

/** The files that stand in the way of an action. */
export function ConflictingFiles({ title, files, children }: ConflictingFilesProps) {
  const more = files.length - shown;
  return (
    <div role="alert" className="grid gap-2 rounded-lg border border-line px-3 py-2.5 text-sm">
      <p className="text-warn">{title}</p>
      <ul className="grid gap-0.5 font-mono text-xs">
        {files.slice(0, shown).map((file) => (
          <li key={file} className="wrap-anywhere">
            {exactText(file)}
          </li>
        ))}
        {more > 0 && <li className="font-sans text-muted">and {more.toLocaleString("en")} more</li>}
      </ul>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  );
}
