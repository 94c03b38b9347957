import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { lineWords } from "./commented-lines.ts";
import { dropComment, type LineComment, writeComment } from "./comments.ts";

interface CommentBoxProps {
  readonly diffId: string;
  readonly comments: readonly LineComment[];
  /** The line it is below. */
  readonly at: number;
  readonly top: number;
  /** The line is no longer in the diff. */
  readonly isOutdated: boolean;
  readonly onHeight: (height: number) => void;
}

/** The comments below a line, where they push the following lines down. */
export function CommentBox({ diffId, comments, at, top, isOutdated, onHeight }: CommentBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const report = useRef(onHeight);
  report.current = onHeight;
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height is reported again when its line has moved
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) report.current(entry.borderBoxSize[0]?.blockSize ?? 0);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [at]);
  return (
    <div
      ref={box}
      className="absolute inset-x-0 border-line border-y bg-side px-3 py-2.5 font-sans"
      style={{ top }}
    >
      <div className="grid max-w-[40rem] gap-2">
        {comments.map((comment) => (
          <Comment key={comment.id} diffId={diffId} comment={comment} isOutdated={isOutdated} />
        ))}
      </div>
    </div>
  );
}

interface CommentProps {
  readonly diffId: string;
  readonly comment: LineComment;
  readonly isOutdated: boolean;
}

function Comment({ diffId, comment, isOutdated }: CommentProps) {
  const { id, line, from, text, body } = comment;
  const [editing, setEditing] = useState(body === "");
  const close = () => (body.trim() === "" ? dropComment(diffId, id) : setEditing(false));
  return (
    <article
      aria-label={`Comment on ${placeWords(comment)}`}
      className="rounded-lg border border-line-strong bg-canvas p-2.5 text-sm"
    >
      {isOutdated && (
        <p className="mb-1.5 truncate text-faint text-xs">
          {from === undefined ? `Line ${line} is` : `Lines ${from} to ${line} are`} no longer in the diff:{" "}
          <code className="font-mono">{text}</code>
        </p>
      )}
      {!isOutdated && from !== undefined && (
        <p className="mb-1.5 text-faint text-xs">
          Lines {from} to {line}
        </p>
      )}
      {editing ? (
        <CommentField diffId={diffId} comment={comment} onClose={close} />
      ) : (
        <p className="whitespace-pre-wrap break-words">{body}</p>
      )}
      <div className="mt-2 flex items-center gap-2">
        {editing ? (
          <Button onClick={close}>Save</Button>
        ) : (
          <Button onClick={() => setEditing(true)}>Edit</Button>
        )}
        <Button look="quiet" onClick={() => dropComment(diffId, id)}>
          Delete
        </Button>
        <p className="ml-auto text-2xs text-faint max-md:hidden">Pending: sent with your review</p>
      </div>
    </article>
  );
}

interface CommentFieldProps {
  readonly diffId: string;
  readonly comment: LineComment;
  readonly onClose: () => void;
}

function CommentField({ diffId, comment, onClose }: CommentFieldProps) {
  const { id, from, body } = comment;
  useFocusBack();
  return (
    <textarea
      aria-label={`Comment on ${placeWords(comment)}`}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened it
      autoFocus
      rows={2}
      placeholder={`What should the agent do about ${from === undefined ? "this line" : "these lines"}?`}
      className="field field-sizing-content max-h-48 min-h-14 resize-none"
      value={body}
      onChange={(event) => writeComment(diffId, id, event.target.value)}
      onKeyDown={(event) => {
        const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (event.key === "Escape" || isDone) onClose();
      }}
    />
  );
}

/** Without "removed": the line above the comment shows it. */
const placeWords = (comment: LineComment): string => lineWords({ ...comment, side: "now" });
