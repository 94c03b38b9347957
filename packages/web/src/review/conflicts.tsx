import type { Review, Session } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { Button } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { decide } from "./requests.ts";
import { useUpdate } from "./use-update.ts";

interface ConflictsProps {
  readonly session: Session;
  readonly review: Review;
  /** Nothing can be done about them now. */
  readonly isLocked: boolean;
}

/** Files that keep the work from being merged. */
export function Conflicts({ session, review, isLocked }: ConflictsProps) {
  const { conflicts = [], unresolved = [], into = "the target" } = review;
  if (unresolved.length > 0) return <Unresolved session={session} files={unresolved} isLocked={isLocked} />;
  if (conflicts.length === 0) return null;
  return (
    <ConflictingFiles title={`These files conflict with ${into}:`} files={conflicts}>
      <UpdateButtons session={session} into={into} isLocked={isLocked} />
    </ConflictingFiles>
  );
}

interface UpdateButtonsProps {
  readonly session: Session;
  readonly into: string;
  readonly isLocked?: boolean;
  readonly onDone?: () => void;
}

/** Ways to bring the other side of a conflict into the session. */
export function UpdateButtons({ session, into, isLocked = false, onDone }: UpdateButtonsProps) {
  const { busy, problem, bring } = useUpdate(session);
  const agentName = useAgentName(session.agent);
  const start = async (ask: boolean) => {
    if (await bring({ ask })) onDone?.();
  };
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button disabled={busy || isLocked} onClick={() => void start(true)}>
          Update and ask {agentName} to resolve
        </Button>
        <Button
          disabled={busy || isLocked}
          title="Writes conflict markers into the worktree, for you to resolve"
          onClick={() => void start(false)}
        >
          Update from {into}
        </Button>
      </div>
      <ProblemText problem={problem} />
    </div>
  );
}

/** An update left conflict markers. Drover commits once there are none. */
function Unresolved({ session, files, isLocked }: Omit<ConflictsProps, "review"> & { files: string[] }) {
  const { busy, problem, run } = useAction();
  const agentName = useAgentName(session.agent);
  const message = "Resolve the conflicts in your files: keep what both sides intended, and leave no markers.";
  const ask = () => decide(session.id, { do: "request_changes", message });
  return (
    <ConflictingFiles
      title="These files have conflict markers. Once they are resolved, Drover commits the update:"
      files={files}
    >
      <Button disabled={busy || isLocked} onClick={() => void run(ask)}>
        Ask {agentName} to resolve them
      </Button>
      <ProblemText problem={problem} />
    </ConflictingFiles>
  );
}
