import type { Session } from "@drover/core";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { decide } from "./requests.ts";

export function RejectDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { busy, problem, run } = useAction();
  const reject = async () => {
    if (await run(() => decide(session.id, { do: "reject" }))) onClose();
  };
  return (
    <Dialog title="Reject this work?" onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">
          Nothing is deleted: the worktree and its branch{" "}
          <code className="font-mono text-ink text-xs">{session.workspace.branch}</code> stay. You can still
          change your mind.
        </p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={busy} onClick={() => void reject()}>
            Reject
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
