import type { Session, SessionStateName } from "@drover/core";
import { memo, useState } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { reviewWords } from "../format/review-words.ts";
import { perform, useShortcuts } from "../keyboard/use-shortcuts.ts";
import { href, navigate } from "../routing/route.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { BackToSessions } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { StateDot } from "../ui/state-dot.tsx";
import { useAction } from "../ui/use-action.ts";
import { archive } from "./archive.ts";
import { CapabilityDialog } from "./capability-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { RenameField } from "./rename-field.tsx";
import { type SessionTab, sessionHref } from "./session-href.ts";
import { SessionTabs } from "./session-tabs.tsx";

interface SessionHeaderProps {
  readonly session: Session;
  readonly state: SessionStateName;
  readonly tab: SessionTab;
}

type Open = "rename" | "delete" | "capabilities";

/** Memoized for the same reason as the composer. */
export const SessionHeader = memo(function SessionHeader({ session, state, tab }: SessionHeaderProps) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [open, setOpen] = useState<Open>();
  const { id, name, title, agent, archived, cwd, workspace, connection } = session;
  const agentName = useAgentName(agent);
  const standing = reviewWords[session.review?.state ?? "none"];
  const hasProcess = connection.status !== "idle" && connection.status !== "disconnected";
  const ended = state === "stopped" || state === "crashed";
  const close = () => setOpen(undefined);
  useShortcuts({ rename: () => setOpen("rename") });

  const archiveThis = async () => {
    const back = () => navigate(sessionHref(name));
    if (await run(() => archive(drover, session, back))) navigate(href("/"));
  };
  const restore = () => run(() => drover.change(id, { archived: false }));
  return (
    <header className="column-bar border-line border-b">
      <div className="flex h-13 items-center gap-2.5">
        <BackToSessions />
        <StateDot state={state} />
        <div className="min-w-0 flex-1">
          {open === "rename" ? (
            <RenameField session={session} onClose={close} />
          ) : (
            <>
              <h1 className="truncate font-semibold" title={title || name}>
                {title || name}
              </h1>
              <p className="truncate text-faint text-xs" title={placeTitle(session)}>
                {[
                  ...(archived ? ["Archived"] : []),
                  ...(standing === undefined ? [] : [standing]),
                  agentName,
                  ...(title && title !== name && workspace.branch !== `drover/${name}` ? [name] : []),
                  workspace.mode === "worktree"
                    ? `${workspace.branch} in a worktree of ${workspace.projectDir}`
                    : cwd,
                ].join(" · ")}
              </p>
            </>
          )}
        </div>
        {/* Hidden rather than removed, so that the focus can return to the menu. */}
        <div className={open === "rename" ? "hidden" : "contents"}>
          {ended && (
            <Button
              title="Start the agent again"
              disabled={busy}
              onClick={() => void run(() => drover.resume(id))}
            >
              Resume
            </Button>
          )}
          {!ended && (hasProcess || state !== "idle") && (
            <Button
              look="quiet"
              title="End the agent's process. You can resume the session later."
              disabled={busy || state === "stopping"}
              onClick={() => void run(() => drover.stop(id))}
            >
              Stop
            </Button>
          )}
          <Menu
            label="More"
            entries={[
              ...(tab === "transcript"
                ? [{ text: "Find in transcript", onChoose: () => perform("find") }]
                : []),
              { text: "Rename…", onChoose: () => setOpen("rename") },
              { text: "What this agent can do", onChoose: () => setOpen("capabilities") },
              archived
                ? { text: "Unarchive", onChoose: () => void restore() }
                : { text: "Archive", onChoose: () => void archiveThis() },
              { text: "Delete…", dangerous: true, onChoose: () => setOpen("delete") },
            ]}
          />
        </div>
      </div>
      {problem && (
        <div className="pb-2">
          <ProblemText problem={problem} />
        </div>
      )}
      <SessionTabs session={session} tab={tab} />
      {open === "delete" && <DeleteDialog session={session} onClose={close} />}
      {open === "capabilities" && <CapabilityDialog session={session} onClose={close} />}
    </header>
  );
});

function placeTitle({ cwd, workspace: { mode, branch, base, ports } }: Session): string {
  if (mode !== "worktree") return cwd;
  const facts = [`Branch ${branch}`, base && `from ${base.ref}`, ports && `ports ${ports.join("–")}`];
  return `${cwd}\n${facts.filter((fact) => fact !== undefined).join(", ")}`;
}
