import type { Session } from "@drover/core";
import { useMemo } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import type { Prompt } from "../state/outbox.ts";
import { useStore } from "../state/store.ts";
import type { SessionView } from "../state/view.ts";
import { CommentBar } from "./comment-bar.tsx";
import { commentMessage } from "./comment-message.ts";
import { DiffReview } from "./diff-review.tsx";
import type { Nothing } from "./no-changes.tsx";
import { type ChangesQuery, sessionDiff } from "./session-diff.ts";
import { SourceMenu } from "./source-menu.tsx";

interface ChangesPageProps extends ChangesQuery {
  readonly session: Session;
  readonly view: SessionView;
}

/** The changes of a session: uncommitted, of one turn, or of the whole session. Comments go to its agent. */
export function ChangesPage({ session, view, turn, against }: ChangesPageProps) {
  const drover = useDrover();
  const { id, agent, workspace } = session;
  const agentName = useAgentName(agent);
  const source = useMemo(() => sessionDiff(drover, id, { turn, against }), [drover, id, turn, against]);
  const isUncommitted = turn === undefined && against === undefined;
  // Other paths are relative to the top of the repository, which the page knows only of a worktree.
  const root = isUncommitted ? session.cwd : workspace.mode === "worktree" ? workspace.path : undefined;
  return (
    <DiffReview
      source={source}
      menu={<SourceMenu session={session} view={view} query={{ turn, against }} />}
      nothing={nothingIn({ turn, against }, agentName)}
      root={root}
      locked={view.state.turn && "Wait for the running turn to end"}
      actions={
        <CommentBar
          key={source.id}
          diffId={source.id}
          onSubmit={(comments) => (
            <SentComments
              sessionId={id}
              messageId={drover.outbox.send(id, commentMessage(comments, subjectOf({ turn, against })))}
            />
          )}
        />
      }
    />
  );
}

function nothingIn({ turn, against }: ChangesQuery, agentName: string): Nothing {
  if (turn !== undefined)
    return { title: "No changes in this turn", text: "It left all files as they were." };
  const text = `Changes by ${agentName} appear here when its turn ends.`;
  return { title: against ? "No changes in this session" : "No uncommitted changes", text };
}

function subjectOf({ turn, against }: ChangesQuery): string {
  if (turn !== undefined) return "your changes in one turn";
  return against ? "all your changes in this session" : "your changes in the working copy";
}

/** The delivery status of the message that carries the comments. */
function SentComments({ sessionId, messageId }: { sessionId: string; messageId: string }) {
  const { outbox } = useDrover();
  const message = useStore(outbox.prompts, (all) => all.find((one) => one.clientMessageId === messageId));
  return (
    <>
      {progressOf(message)}{" "}
      <a className="text-accent" href={sessionHref(sessionId)}>
        View conversation
      </a>
    </>
  );
}

/** A message leaves the outbox once it is in the conversation. */
function progressOf(message: Prompt | undefined): string {
  if (message?.problem) return "Not sent: Drover rejected the message.";
  return message && !message.receipt ? "Sending as one message…" : "Sent as one message.";
}
