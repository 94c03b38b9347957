import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { href } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { commentMessage, hasWords } from "./comment-message.ts";
import { dropAllComments, useComments } from "./comments.ts";

/** Comments that are written and not sent: they go to the agent together, as one message. */
export function CommentBar({ sessionId }: { sessionId: string }) {
  const { outbox } = useDrover();
  const comments = useComments(sessionId);
  const [sent, setSent] = useState(0);
  const ready = comments.filter(hasWords);
  useEffect(() => {
    if (comments.length > 0) setSent(0);
  }, [comments]);
  const send = () => {
    outbox.send(sessionId, commentMessage(ready));
    dropAllComments(sessionId);
    setSent(ready.length);
  };
  if (sent > 0) {
    return (
      <p role="status" className="text-muted text-xs">
        Sent as one message.{" "}
        <a className="text-accent" href={href.session(sessionId)}>
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
