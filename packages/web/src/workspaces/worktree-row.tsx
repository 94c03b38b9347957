import { exactText, type WorktreeInfo } from "@drover/core";
import { bytesWords } from "../format/bytes.ts";
import { sessionHref } from "../session/session-href.ts";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface WorktreeRowProps {
  readonly worktree: WorktreeInfo;
  readonly onChanged: () => void;
}

export function WorktreeRow({ worktree, onChanged }: WorktreeRowProps) {
  const { path, branch, session, size } = worktree;
  const { busy, problem, run } = useAction();
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isDirty = problem?.code === "WORKSPACE_DIRTY";
  const remove = async (force: boolean) => {
    if (await run(() => api("POST", "/api/workspaces/rm", { path, force }))) onChanged();
  };
  return (
    <li aria-label={name} className="grid gap-2 px-3.5 py-2.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {session ? (
              <a className="truncate font-medium hover:underline" href={sessionHref(session.name)}>
                {session.name}
              </a>
            ) : (
              <span className="truncate font-medium">{exactText(name)}</span>
            )}
            {branch !== undefined && (
              <span className="truncate font-mono text-muted text-xs">{exactText(branch)}</span>
            )}
          </h2>
          <p className="flex font-mono text-faint text-xs" title={path}>
            <PathText path={exactText(path)} />
          </p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs">
            {factsOf(worktree).map(({ words, look }) => (
              <span key={words} className={look}>
                {words}
              </span>
            ))}
          </p>
        </div>
        <span className="shrink-0 text-muted text-xs tabular-nums">{bytesWords(size)}</span>
        {worktree.state === "ready" && (
          <Button
            title={
              session
                ? "The branch stays, and resuming the session makes the worktree again"
                : "The branch stays"
            }
            disabled={busy}
            onClick={() => void remove(false)}
          >
            Remove
          </Button>
        )}
      </div>
      {isDirty ? (
        <ConflictingFiles title="These files are in no commit:" files={problem.files ?? []}>
          <Button look="danger" disabled={busy} onClick={() => void remove(true)}>
            Remove and keep a copy
          </Button>
        </ConflictingFiles>
      ) : (
        <ProblemText problem={problem} />
      )}
    </li>
  );
}

interface Fact {
  readonly words: string;
  readonly look: string;
}

/** What a person would want to know before removing it. */
function factsOf({ orphaned, state, dirty = 0, ahead = 0, merged }: WorktreeInfo): Fact[] {
  const facts: (Fact | false)[] = [
    orphaned && { words: "No session", look: "text-warn" },
    state === "missing" && { words: "Missing; resume its session to make it again", look: "text-bad" },
    state === "altered" && {
      words: "Its .git file was changed; resume its session to repair it",
      look: "text-bad",
    },
    dirty > 0 && { words: `${dirty.toLocaleString("en")} uncommitted`, look: "text-warn" },
    ahead > 0 && { words: ahead === 1 ? "1 commit ahead" : `${ahead} commits ahead`, look: "text-muted" },
    merged && { words: "Merged", look: "text-good" },
  ];
  const found = facts.filter((fact) => fact !== false);
  return found.length > 0 ? found : [{ words: "No changes", look: "text-muted" }];
}
