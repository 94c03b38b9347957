import type { WorktreeList } from "@drover/core";
import { useAnswer } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { KeptRow } from "./kept-row.tsx";
import { WorktreeRow } from "./worktree-row.tsx";

/** The worktrees that Drover made, and the work kept from removed ones. */
export function WorkspacesPage() {
  const { value, problem, busy, reload } = useAnswer<WorktreeList>("/api/workspaces");
  const { workspaces, kept } = value ?? { workspaces: [], kept: [] };
  return (
    <Page
      title="Workspaces"
      about="Worktrees are checkouts that Drover makes for sessions, each on its own branch. Deleting a session removes its worktree."
      actions={
        <Button disabled={busy} onClick={reload}>
          {busy ? "Loading…" : "Refresh"}
        </Button>
      }
    >
      <ProblemText problem={problem} />
      {value && workspaces.length === 0 && kept.length === 0 && (
        <Empty title="No worktrees">
          <p>To give a session its own, choose “A worktree of its own” when you start it.</p>
        </Empty>
      )}
      {workspaces.length > 0 && (
        <ul aria-label="Worktrees" className="divide-y divide-line rounded-lg border border-line">
          {workspaces.map((worktree) => (
            <WorktreeRow key={worktree.path} worktree={worktree} onChanged={reload} />
          ))}
        </ul>
      )}
      {kept.length > 0 && (
        <>
          <h2 className="mt-7 mb-1 font-semibold">Kept work</h2>
          <p className="mb-3 text-muted text-sm">
            Uncommitted files of worktrees that were removed. Restore them as a worktree.
          </p>
          <ul aria-label="Kept work" className="divide-y divide-line rounded-lg border border-line">
            {kept.map((work) => (
              <KeptRow key={`${work.repository} ${work.ref}`} work={work} onChanged={reload} />
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}
