import { type ChangedFile, exactText } from "@drover/core";
import { memo, useDeferredValue, useEffect, useRef } from "react";
import { Counts } from "../ui/counts.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { StatusMark } from "./status-mark.tsx";

interface FileListProps {
  readonly files: readonly ChangedFile[];
  readonly current: string | undefined;
  /** Files that need no more attention. */
  readonly viewed: ReadonlySet<string> | undefined;
  readonly onChoose: (path: string) => void;
}

/** The changed files. The current one is highlighted and kept in view. */
export function FileList({ files, current, viewed, onChoose }: FileListProps) {
  const list = useRef<HTMLElement>(null);
  // Thousands of rows can wait until the diff beside them has rendered its first lines.
  const listed = useDeferredValue(files, none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row of the current file may come later
  useEffect(() => {
    const marked = current === undefined ? null : list.current?.querySelector("[aria-current]");
    marked?.scrollIntoView({ block: "nearest" });
  }, [current, listed]);
  return (
    <nav ref={list} aria-label="Changed files" className="h-full overflow-y-auto p-1.5 md:pl-3.5">
      {listed.map((file) => (
        <FileRow
          key={file.path}
          file={file}
          isCurrent={file.path === current}
          isViewed={viewed?.has(file.path) ?? false}
          onChoose={onChoose}
        />
      ))}
    </nav>
  );
}

const none: readonly ChangedFile[] = [];

interface FileRowProps {
  readonly file: ChangedFile;
  readonly isCurrent: boolean;
  readonly isViewed: boolean;
  readonly onChoose: (path: string) => void;
}

/** Memoized: there may be thousands, and the lines of each file arrive on their own. */
const FileRow = memo(function FileRow({ file, isCurrent, isViewed, onChoose }: FileRowProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      title={exactText(file.path)}
      onClick={() => onChoose(file.path)}
      className="flex w-full items-center gap-1.5 rounded-md px-1.5 py-1 text-left [content-visibility:auto] [contain-intrinsic-size:auto_2.375rem] hover:bg-raised aria-[current]:bg-raised aria-[current]:font-medium"
    >
      <StatusMark status={file.status} />
      <PathWords path={file.path} isViewed={isViewed} />
      {file.staged && (
        <span
          className="shrink-0 text-2xs text-warn"
          title="The staged version, which the next commit will contain, differs from the working tree"
        >
          staged differently
        </span>
      )}
      {isViewed ? <ViewedMark /> : <Counts {...file} />}
    </button>
  );
});

/** The file name comes first, because people look for it. */
function PathWords({ path, isViewed }: { path: string; isViewed: boolean }) {
  const at = path.lastIndexOf("/") + 1;
  return (
    <span className={`min-w-0 flex-1 ${isViewed ? "text-faint" : ""}`}>
      <span className="block truncate text-sm">{exactText(path.slice(at))}</span>
      {at > 0 && (
        <span className="block truncate text-2xs text-faint">{exactText(path.slice(0, at - 1))}</span>
      )}
    </span>
  );
}

function ViewedMark() {
  return (
    <span title="Viewed" className="shrink-0 text-muted">
      <CheckIcon size={13} />
      <span className="sr-only">Viewed</span>
    </span>
  );
}
