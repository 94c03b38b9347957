import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { offerUndo } from "../ui/undo.ts";
import { hasText } from "./comment-message.ts";
import { dropAllComments, type LineComment, restoreComments, useComments } from "./comments.ts";

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
  const bar = useRef<HTMLDivElement>(null);
  const clear = () => {
    dropAllComments(diffId);
    // The buttons disappear.
    bar.current?.focus();
  };
  const discard = () => {
    clear();
    const what = comments.length === 1 ? "1 comment" : `${comments.length} comments`;
    offerUndo(`${what} discarded`, () => restoreComments(diffId, comments));
  };
  const send = () => {
    setProgress(onSubmit(ready));
    clear();
  };
  return (
    <div ref={bar} tabIndex={-1} className="flex items-center gap-2">
      {progress !== undefined ? (
        <p role="status" className="text-muted text-xs">
          {progress}
        </p>
      ) : (
        comments.length > 0 && (
          <>
            <Button look="quiet" onClick={discard}>
              {comments.length === 1 ? "Discard comment" : "Discard comments"}
            </Button>
            <Button look="primary" disabled={ready.length === 0} onClick={send}>
              {ready.length === 1 ? "Send 1 comment" : `Send ${ready.length} comments`}
            </Button>
          </>
        )
      )}
    </div>
  );
}
