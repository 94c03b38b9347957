import type { ChangedFile, Result } from "@drover/core";
import { useMemo, useState } from "react";
import type { Problem } from "../transport/wire.ts";
import { offerUndo } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import type { ChangeSet } from "./change-set.ts";
import { type DiffEdits, type DiffSource, pathsOf, type TakenBack } from "./diff-source.ts";

/** What the buttons of files and hunks do. */
export interface TakeBack {
  readonly verb: DiffEdits["verb"];
  /** Why nothing can be taken back now. */
  readonly locked: string | undefined;
  readonly onFile: (file: ChangedFile, options?: { readonly force: boolean }) => void;
  readonly onHunk?: (path: string, patch: string) => void;
}

const done: Readonly<Record<DiffEdits["verb"], string>> = {
  Discard: "Discarded changes in",
  Undo: "Undid changes in",
};

/** Takes changes back, offers to restore them, and loads what is left. */
export function useEdits({ edits }: DiffSource, changeSet: ChangeSet, locked: string | undefined) {
  const { busy, problem, run } = useAction();
  /** The file that was taken back last, whole. */
  const [file, setFile] = useState<ChangedFile>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is new on every render and does the same
  const takeBack = useMemo((): TakeBack | undefined => {
    if (!edits) return undefined;
    const { takeBackHunk } = edits;
    const perform = (path: string, action: () => Promise<Result<TakenBack, Problem>>) => {
      void run(async () => {
        const taken = await action();
        if (taken.ok) offerUndo(`${done[edits.verb]} ${nameOf(path)}`, () => restore(taken.value));
        // After a refusal too: what is shown may be outdated.
        await changeSet.refresh();
        return taken;
      });
    };
    const restore = async (taken: TakenBack) => {
      const restored = await edits.restore(taken);
      await changeSet.refresh();
      return restored;
    };
    return {
      verb: edits.verb,
      locked,
      onFile: (of, { force } = { force: false }) => {
        setFile(of);
        perform(of.path, () => edits.takeBackFiles(pathsOf(of), { force }));
      },
      ...(takeBackHunk ? { onHunk: (path, patch) => perform(path, () => takeBackHunk(patch)) } : {}),
    };
  }, [edits, changeSet, locked]);
  return { busy, problem, file, takeBack };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
