import type { Session } from "@drover/core";
import { useMemo } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import type { Prompt } from "../state/outbox.ts";
import { useStore } from "../state/store.ts";
import { commentMessage } from "./comment-message.ts";
import { DiffReview } from "./diff-review.tsx";
import { workspaceDiff } from "./diff-source.ts";

/** The changes in a session's working copy. Comments go to its agent. */
export function ChangesPage({ session: { id, agent } }: { session: Session }) {
  const { connection, outbox } = useDrover();
  const agentName = useAgentName(agent);
  const source = useMemo(() => workspaceDiff(connection, id), [connection, id]);
  return (
    <DiffReview
      source={source}
      nothing={`Changes by ${agentName} appear here when its turn ends.`}
      onSubmitComments={(comments) => (
        <SentComments sessionId={id} messageId={outbox.send(id, commentMessage(comments))} />
      )}
    />
  );
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
