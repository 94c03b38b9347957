import { fileCount } from "../format/file-count.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import type { Problem } from "../transport/wire.ts";
import { Button, TextButton } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { Counts } from "../ui/counts.tsx";
import { FileIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import type { ItemEntry } from "./entries.ts";
import { useReader } from "./reader.ts";

type Verb = "Undo" | "Redo";

/** What a turn changed, with a link to its diff and a way to undo it; or what undoing it changed. */
export function ChangesItem({ entry: { item } }: { entry: ItemEntry }) {
  const { session, runningTurn, undone } = useReader();
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const { turnId, changes } = item;
  if (turnId === undefined || !changes) return null;
  const { files, added, removed, reverts, discarded } = changes;
  const undoneBy = undone.by.get(turnId);
  const isRedone = undone.redone.has(turnId);
  const did = discarded ? "Discarded " : reverts === undefined ? "" : isRedone ? "Redid " : "Undid ";
  const verb: Verb = reverts === undefined ? (undoneBy ? "Redo" : "Undo") : isRedone ? "Undo" : "Redo";
  const revert = (force: boolean) =>
    void run(() => drover.revert(session.id, { turnId: undoneBy ?? turnId, force }));
  return (
    <div className="grid gap-1.5 text-muted text-xs">
      <p className="flex flex-wrap items-center gap-x-2.5 max-md:min-h-10">
        <a
          className={`flex items-center gap-1.5 hover:text-ink hover:underline max-md:min-h-10 ${undoneBy ? "line-through" : ""}`}
          href={sessionHref(session.name, "changes", { turn: turnId })}
          title="View these changes"
        >
          <FileIcon size={13} />
          {did}
          {fileCount(files)} <Counts added={added} removed={removed} />
        </a>
        {undoneBy !== undefined && <span>Undone</span>}
        {/* A revert that was reverted is history. */}
        {(reverts === undefined || undoneBy === undefined) && (
          <TextButton
            className="max-md:min-h-10"
            aria-label={`${verb} ${discarded ? "the discard" : "this turn"}`}
            aria-disabled={busy || runningTurn !== undefined}
            title={runningTurn === undefined ? titles[verb] : "Wait for the running turn to end"}
            onClick={() => runningTurn === undefined && revert(false)}
          >
            {verb}
          </TextButton>
        )}
      </p>
      {problem && <Refusal problem={problem} verb={verb} busy={busy} onForce={() => revert(true)} />}
    </div>
  );
}

const titles: Readonly<Record<Verb, string>> = {
  Undo: "Put these files back as they were before the turn",
  Redo: "Bring these changes back",
};

interface RefusalProps {
  readonly problem: Problem;
  readonly verb: Verb;
  readonly busy: boolean;
  readonly onForce: () => void;
}

function Refusal({ problem, verb, busy, onForce }: RefusalProps) {
  if (problem.code !== "REVERT_CONFLICT") return <ProblemText problem={problem} />;
  return (
    <ConflictingFiles
      title={`Changed since then; ${verb === "Undo" ? "undoing" : "redoing"} would overwrite these files:`}
      files={problem.files ?? []}
    >
      <Button disabled={busy} onClick={onForce}>
        {verb} anyway
      </Button>
    </ConflictingFiles>
  );
}
