import type { DeletedSession, Session } from "@drover/core";
import { href, navigate } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { announce } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";

export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const isDirty = problem?.code === "WORKSPACE_DIRTY";
  const remove = async () => {
    let kept: DeletedSession["kept"];
    const isDone = await run(async () => {
      const removed = await drover.remove(session.id, { force: isDirty });
      if (removed.ok) kept = removed.value.kept;
      return removed;
    });
    if (!isDone) return;
    onClose();
    navigate(href("/"));
    if (kept) announce(`Deleted ${session.name}. Workspaces has a copy of its files.`);
  };
  return (
    <Dialog title={`Delete “${session.title || session.name}”?`} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">{consequences(session)}</p>
        {isDirty ? (
          <ConflictingFiles title="These files are in no commit:" files={problem.files ?? []} />
        ) : (
          <ProblemText problem={problem} />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            {isDirty ? "Delete and keep a copy" : "Delete session"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function consequences({ workspace: { mode, branch } }: Session): string {
  const always = "This stops the agent and removes the session from the list.";
  return mode === "worktree"
    ? `${always} Its worktree is removed too; the branch ${branch} stays if it has commits.`
    : `${always} Files in the working directory are kept.`;
}
