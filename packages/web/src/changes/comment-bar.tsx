import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { hasText } from "./comment-message.ts";
import { dropAllComments, type LineComment, useComments } from "./comments.ts";

/** Submits comments and returns their status, to be shown. */
export type SubmitComments = (comments: readonly LineComment[]) => ReactNode;

interface CommentBarProps {
  readonly diffId: string;
  readonly onSubmit: SubmitComments;
}

/** Unsent comments, which are submitted together. */
export function CommentBar({ diffId, onSubmit }: CommentBarProps) {
  const comments = useComments(diffId);
  const [progress, setProgress] = useState<ReactNode>();
  const ready = comments.filter(hasText);
  useEffect(() => {
    if (comments.length > 0) setProgress(undefined);
  }, [comments]);
  const send = () => {
    setProgress(onSubmit(ready));
    dropAllComments(diffId);
  };
  if (progress !== undefined) {
    return (
      <p role="status" className="text-muted text-xs">
        {progress}
      </p>
    );
  }
  if (comments.length === 0) return null;
  return (
    <>
      <Button look="quiet" onClick={() => dropAllComments(diffId)}>
        Discard
      </Button>
      <Button look="primary" disabled={ready.length === 0} onClick={send}>
        {ready.length === 1 ? "Send 1 comment" : `Send ${ready.length} comments`}
      </Button>
    </>
  );
}
