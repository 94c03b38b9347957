import { maxPromptBytes, type SessionStateName, utf8Length } from "@drover/core";
import type { KeyboardEvent } from "react";
import { saveDraft, useDraft } from "../state/drafts.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface ComposerProps {
  readonly sessionId: string;
  readonly state: SessionStateName;
  readonly running: boolean;
}

export function Composer({ sessionId, state, running }: ComposerProps) {
  const drover = useDrover();
  const draft = useDraft(sessionId);
  const { busy, problem, run } = useAction();
  const size = draft.length < maxPromptBytes / 4 ? 0 : utf8Length(draft);
  const tooLong = size > maxPromptBytes;
  const sendable = draft.trim() !== "" && !tooLong;

  const send = () => {
    if (!sendable) return;
    drover.outbox.send(sessionId, draft);
    saveDraft(sessionId, "");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      aria-label="Composer"
      className="rounded-lg border border-line-strong bg-canvas focus-within:border-muted"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label="Message"
        rows={2}
        placeholder={placeholder(state, running)}
        className="field-sizing-content block max-h-[40vh] min-h-14 w-full resize-none bg-transparent px-3.5 pt-2.5 text-base outline-none"
        value={draft}
        onChange={(event) => saveDraft(sessionId, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex items-center gap-2 p-2 pl-3.5">
        <p className="min-w-0 flex-1 truncate text-2xs text-faint">
          {tooLong ? (
            <span className="text-bad">Too long: {size - maxPromptBytes} bytes over 768 KB</span>
          ) : (
            <span className="max-md:hidden">Enter sends, Shift+Enter starts a new line</span>
          )}
        </p>
        {running && (
          <Button disabled={busy} onClick={() => void run(() => drover.interrupt(sessionId))}>
            Interrupt
          </Button>
        )}
        <Button type="submit" look="primary" disabled={!sendable}>
          Send
        </Button>
      </div>
      {problem && (
        <div className="px-3.5 pb-2">
          <ProblemText problem={problem} />
        </div>
      )}
    </form>
  );
}

function placeholder(state: SessionStateName, running: boolean): string {
  if (running) return "Write what comes next; it waits for this turn";
  if (state === "stopped" || state === "crashed") return "A message starts the agent again";
  return "Write to the agent";
}
