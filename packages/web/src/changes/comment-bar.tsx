import { useEffect, useState } from "react";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import type { Prompt } from "../state/outbox.ts";
import { useStore } from "../state/store.ts";
import { Button } from "../ui/button.tsx";
import { commentMessage, hasWords } from "./comment-message.ts";
import { dropAllComments, useComments } from "./comments.ts";

/** Comments that are written and not sent: they go to the agent together, as one message. */
export function CommentBar({ sessionId }: { sessionId: string }) {
  const { outbox } = useDrover();
  const comments = useComments(sessionId);
  /** The message they became. */
  const [sent, setSent] = useState<string>();
  const message = useStore(outbox.prompts, (all) => all.find((one) => one.clientMessageId === sent));
  const ready = comments.filter(hasWords);
  useEffect(() => {
    if (comments.length > 0) setSent(undefined);
  }, [comments]);
  const send = () => {
    setSent(outbox.send(sessionId, commentMessage(ready)));
    dropAllComments(sessionId);
  };
  if (sent !== undefined) {
    return (
      <p role="status" className="text-muted text-xs">
        {standing(message)}{" "}
        <a className="text-accent" href={sessionHref(sessionId)}>
          See the conversation
        </a>
      </p>
    );
  }
  if (comments.length === 0) return null;
  return (
    <>
      <Button look="quiet" onClick={() => dropAllComments(sessionId)}>
        Discard
      </Button>
      <Button look="primary" disabled={ready.length === 0} onClick={send}>
        {ready.length === 1 ? "Send 1 comment" : `Send ${ready.length} comments`}
      </Button>
    </>
  );
}

/** A message that is not on its way any more is in the conversation. */
function standing(message: Prompt | undefined): string {
  if (message?.problem) return "Not sent: Drover refused the message.";
  return message && !message.receipt ? "On its way as one message." : "Sent as one message.";
}
