import { exactText } from "@drover/core";
import type { ReactNode } from "react";
import { fileCount } from "../format/file-count.ts";
import { Button } from "../ui/button.tsx";
import { Counts } from "../ui/counts.tsx";
import type { ChangesState } from "./change-set.ts";
import { chooseMode, useMode } from "./diff-mode.ts";
import type { DiffMode } from "./layout.ts";

interface ToolbarProps {
  readonly state: ChangesState;
  /** Whether there is room for two columns. */
  readonly wide: boolean;
  readonly onRefresh: () => void;
  /** Chooses what the diff shows. */
  readonly menu: ReactNode;
  /** In place of the number of files and lines. */
  readonly totals: ReactNode;
  /** The list of files, where there is no room beside the diff. */
  readonly files: ReactNode;
  readonly actions: ReactNode;
}

/** Totals, layout and unsent comments. */
export function Toolbar(props: ToolbarProps) {
  const { state, wide, onRefresh, menu, totals, files, actions } = props;
  const { files: changed, busy } = state;
  return (
    <div className="grid gap-y-1 border-line border-b px-3 py-1.5 md:px-5">
      {!wide && (menu || files) && (
        <div className="grid auto-cols-fr grid-flow-col gap-2">
          {menu}
          {files}
        </div>
      )}
      <div className="flex min-h-8 items-center gap-x-3">
        {wide && menu && <div className="w-60 shrink-0 md:-ml-1.5">{menu}</div>}
        {totals || <Totals state={state} />}
        <div className="flex shrink-0 items-center gap-2">
          {actions}
          {wide && changed.length > 0 && <ModeSwitch />}
          <Button look="quiet" className="-mr-2.5" disabled={busy} onClick={onRefresh}>
            Refresh
          </Button>
        </div>
      </div>
    </div>
  );
}

function Totals({ state: { changes, files } }: { state: ChangesState }) {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <p className="min-w-0 flex-1 truncate text-muted text-xs" title={changes?.branch}>
      {files.length > 0 && (
        <>
          {fileCount(files.length)} <Counts added={added} removed={removed} />
        </>
      )}
      {changes?.branch !== undefined && (
        <span className="text-faint">
          {files.length > 0 ? " on " : "On "}
          <span className="font-mono">{exactText(changes.branch)}</span>
        </span>
      )}
    </p>
  );
}

const modes: readonly { readonly mode: DiffMode; readonly name: string }[] = [
  { mode: "unified", name: "Unified" },
  { mode: "split", name: "Side by side" },
];

function ModeSwitch() {
  const chosen = useMode();
  return (
    <fieldset aria-label="Diff layout" className="flex gap-0.5 rounded-md bg-track p-0.5">
      {modes.map(({ mode, name }) => (
        <button
          key={mode}
          type="button"
          aria-pressed={mode === chosen}
          onClick={() => chooseMode(mode)}
          className="whitespace-nowrap rounded-sm px-2 py-0.5 text-muted text-xs aria-pressed:bg-thumb aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-float"
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
