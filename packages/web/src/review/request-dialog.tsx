import type { ReviewComment, Session } from "@drover/core";
import { type FormEvent, useRef } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { dropAllComments, type LineComment } from "../changes/comments.ts";
import { countOf } from "../format/count.ts";
import { saveDraft, useDraft } from "../storage/drafts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { announce } from "../ui/undo.ts";
import { useAction } from "../ui/use-action.ts";
import { decide } from "./requests.ts";

interface RequestDialogProps {
  readonly session: Session;
  readonly diffId: string;
  readonly comments: readonly LineComment[];
  readonly onClose: () => void;
}

/** Sends a summary and all comments to the agent, as one message. */
export function RequestDialog({ session, diffId, comments, onClose }: RequestDialogProps) {
  const { id, agent } = session;
  const agentName = useAgentName(agent);
  const { busy, problem, run } = useAction();
  const draft = `${id}:review`;
  const summary = useDraft(draft);
  const form = useRef<HTMLFormElement>(null);
  const isComplete = summary.trim() !== "" || comments.length > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const message = summary.trim();
    const isDone = await run(() =>
      decide(id, {
        do: "request_changes",
        ...(message === "" ? {} : { message }),
        ...(comments.length === 0 ? {} : { comments: comments.map(reviewCommentOf) }),
      }),
    );
    if (!isDone) return;
    dropAllComments(diffId);
    saveDraft(draft, "");
    announce(`Sent to ${agentName}`);
    onClose();
  };
  return (
    <Dialog title="Request changes" onClose={onClose}>
      <form ref={form} className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Summary"
          help={
            comments.length === 0
              ? `${agentName} gets it as a message. To comment on lines, choose their numbers in the diff.`
              : `${agentName} gets it with your ${countOf(comments.length, "comment")}, as one message.`
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={4}
              placeholder={comments.length > 0 ? "Optional" : "What should be different?"}
              className="field field-sizing-content max-h-[40vh] min-h-24 resize-none"
              value={summary}
              onChange={(event) => saveDraft(draft, event.target.value)}
              onKeyDown={(event) => {
                const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
                if (isSend && isComplete && !busy) form.current?.requestSubmit();
              }}
            />
          )}
        </Field>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy || !isComplete}>
            Request changes
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The server takes this much of the quoted lines. */
const maxQuote = 2_000;

const reviewCommentOf = ({ path, side, line, from, text, body }: LineComment): ReviewComment => ({
  ...{ path, side, line, text: body.trim(), quote: text.slice(0, maxQuote) },
  ...(from === undefined ? {} : { from }),
});
