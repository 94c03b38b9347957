import { exactText } from "@drover/core";
import { editorCommand, editorHref, editorWords, useEditor } from "../editor/editor.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Counts } from "../ui/counts.tsx";
import { ChevronIcon, OpenIcon, TerminalIcon, UndoIcon } from "../ui/icons.tsx";
import { PathText } from "../ui/path-text.tsx";
import type { FileView } from "./change-set.ts";
import { StatusMark } from "./status-mark.tsx";
import type { TakeBack } from "./use-edits.ts";
import type { Viewed } from "./viewed.ts";

interface FileHeadProps {
  readonly file: FileView;
  readonly folded: boolean;
  readonly root: string | undefined;
  readonly takeBack: TakeBack | undefined;
  readonly viewed: Viewed | undefined;
  readonly onFold: (path: string) => void;
}

/** The header of a changed file: what it is, and what can be done with it. */
export function FileHead({ file, folded, root, takeBack, viewed, onFold }: FileHeadProps) {
  const { path, from, status } = file;
  const name = exactText(path);
  return (
    <header className="sticky top-0 z-10 flex h-10 items-center gap-1.5 rounded-t-lg border-line border-b bg-raised pr-1.5 pl-1">
      <button
        type="button"
        aria-expanded={!folded}
        aria-label={`${folded ? "Expand" : "Collapse"} ${name}`}
        onClick={() => onFold(path)}
        className={`flex size-7 max-md:size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover ${folded ? "" : "rotate-90"}`}
      >
        <ChevronIcon size={14} />
      </button>
      <StatusMark status={status} />
      <h2 className="flex min-w-0 font-mono text-xs" title={name}>
        {from !== undefined && (
          <span className="min-w-0 shrink-[2] truncate whitespace-pre text-faint">{`${exactText(from)} → `}</span>
        )}
        <PathText path={name} />
      </h2>
      <CopyButton text={path} />
      {root !== undefined && status !== "deleted" && (
        <OpenInEditor path={`${root}/${path}`} line={firstChange(file)} />
      )}
      <span className="mr-1 ml-auto flex">
        <Counts {...file} />
      </span>
      {takeBack && (
        <IconButton
          label={`${takeBack.verb} changes in ${name}`}
          title={takeBack.locked ?? `${takeBack.verb} changes in this file`}
          aria-disabled={takeBack.locked !== undefined}
          onClick={() => takeBack.locked ?? takeBack.onFile(file)}
        >
          <UndoIcon size={14} />
        </IconButton>
      )}
      {viewed && <ViewedBox file={file} viewed={viewed} />}
    </header>
  );
}

/** The number of the first line that has changed; undefined until the lines are loaded. */
function firstChange({ rows = [] }: FileView): number | undefined {
  const from = rows.findIndex(({ kind }) => kind === "added" || kind === "removed");
  if (from < 0) return undefined;
  // A removed line has no number now: what follows it is in its place.
  return rows.slice(from).find(({ now }) => now > 0)?.now;
}

function ViewedBox({ file, viewed: { paths, tick } }: { file: FileView; viewed: Viewed }) {
  return (
    <label className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-muted text-xs hover:bg-hover has-disabled:opacity-45 max-md:h-10 max-md:px-2">
      <input
        type="checkbox"
        aria-label={`Viewed ${exactText(file.path)}`}
        className="size-3.5 accent-ink"
        checked={paths.has(file.path)}
        // What is not loaded cannot have been viewed.
        disabled={file.digest === undefined}
        onChange={(event) => tick(file, event.target.checked)}
      />
      Viewed
    </label>
  );
}

/** Opens a file in the person's editor. A phone has none. */
function OpenInEditor({ path, line }: { readonly path: string; readonly line: number | undefined }) {
  const editor = useEditor();
  const href = editorHref(editor, path, line);
  if (editor === "terminal") {
    const label = "Copy the command that opens it in $EDITOR";
    return (
      <CopyButton
        text={editorCommand(path, line)}
        label={label}
        icon={<TerminalIcon size={14} />}
        className="max-md:hidden"
      />
    );
  }
  if (href === undefined) return null;
  const label = `Open in ${editorWords[editor]}`;
  return (
    <a
      href={href}
      aria-label={label}
      title={label}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink max-md:hidden"
    >
      <OpenIcon size={14} />
    </a>
  );
}
