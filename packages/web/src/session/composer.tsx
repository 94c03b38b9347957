import { maxPromptBytes, type Receipt, type Session, type SessionStateName, utf8Length } from "@drover/core";
import { type KeyboardEvent, memo, useRef } from "react";
import { AttachButton } from "../attachments/attach-button.tsx";
import { detach, textBytesOf } from "../attachments/attached.ts";
import { AttachedFiles } from "../attachments/attached-files.tsx";
import { useAttachments } from "../attachments/use-attachments.ts";
import { MessageField } from "../completion/message-field.tsx";
import { keyText } from "../keyboard/table.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useDrover } from "../state/drover.ts";
import type { SendOptions } from "../state/outbox.ts";
import { useStore } from "../state/store.ts";
import { readDraft, saveDraft, useDraft } from "../storage/drafts.ts";
import { randomId } from "../storage/random.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

interface ComposerProps {
  readonly session: Session;
  readonly state: SessionStateName;
  readonly running: boolean;
  /** The first message of a paused queue. */
  readonly held: string | undefined;
  /** The last prompt, which Arrow Up recalls. */
  readonly lastPrompt: string | undefined;
}

/** Memoized: the transcript above it changes with every frame of a streaming turn. */
export const Composer = memo(function Composer(props: ComposerProps) {
  const { session, state, running, held, lastPrompt } = props;
  const drover = useDrover();
  const { id, capabilities } = session;
  const draft = useDraft(id);
  const { busy, problem, run } = useAction();
  const attachments = useAttachments(id, capabilities.images);
  const { files } = attachments;
  const textBytes = textBytesOf(files);
  const isShort = draft.length < maxPromptBytes / 4 && textBytes === 0;
  const size = isShort ? 0 : utf8Length(draft) + textBytes;
  const tooLong = size > maxPromptBytes;
  const sendable = draft.trim() !== "" && !tooLong;
  const canSteer = running && capabilities.steer;

  const interrupt = () => void run(() => drover.interrupt(id));
  const field = useRef<HTMLTextAreaElement>(null);
  useShortcuts({ write: () => field.current?.focus(), ...(running ? { interrupt } : {}) });

  const sending = useAction();
  /** The same message keeps its id when it is sent again, so that it arrives once. */
  const intent = useRef({ of: "", id: "" });
  const sendFiles = async (options: SendOptions) => {
    const keys = files.map(({ key }) => key);
    const of = JSON.stringify([draft, keys]);
    if (intent.current.of !== of) intent.current = { of, id: randomId() };
    const message = { sessionId: id, content: draft, clientMessageId: intent.current.id, ...options };
    if (!(await sending.run(() => drover.outbox.sendWith(files, message)))) return;
    detach(id, keys);
    if (readDraft(id) === draft) saveDraft(id, "");
  };

  const isFirst = !running && held !== undefined;
  const send = (options: SendOptions = { before: isFirst ? held : undefined }) => {
    if (!sendable || sending.busy) return;
    if (files.length > 0) return void sendFiles(options);
    drover.outbox.send(id, draft, options);
    saveDraft(id, "");
  };
  const steer = () => send({ disposition: "steer" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") field.current?.blur();
    if (event.key === "ArrowUp" && draft === "" && lastPrompt) {
      event.preventDefault();
      saveDraft(id, lastPrompt);
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (canSteer && (event.ctrlKey || event.metaKey)) steer();
    else send();
  };
  return (
    <form
      aria-label="Composer"
      className="focus-frame rounded-lg border border-line-strong bg-canvas"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...attachments.dropTarget}
    >
      <AttachedFiles draft={id} files={files} className="px-3.5 pt-2.5" />
      <MessageField
        field={field}
        filesAt={`/api/sessions/${id}/files?`}
        commandsOf={id}
        side="above"
        aria-label="Message"
        dir={directionOf(draft)}
        rows={2}
        placeholder={placeholder({ state, running, held })}
        className="field-sizing-content block max-h-[30dvh] min-h-14 w-full [@media(height<30rem)]:min-h-10 resize-none bg-transparent px-3.5 pt-2.5 text-base framed"
        value={draft}
        onChange={(text) => saveDraft(id, text)}
        onKeyDown={onKeyDown}
        onPaste={attachments.onPaste}
      />
      <div className="flex items-center gap-2 p-2 pl-3.5 max-md:pt-1">
        <p className="min-w-0 flex-1 truncate text-2xs text-faint">
          {tooLong ? (
            <span className="text-bad">
              Too long: {(size - maxPromptBytes).toLocaleString("en")} bytes over the 768 KB limit
            </span>
          ) : (
            <Hint sessionId={id} running={running} canSteer={canSteer} />
          )}
        </p>
        <AttachButton onFiles={attachments.add} />
        {running && (
          <Button
            title="Stop this turn. The agent keeps its process, and the queue is paused."
            disabled={busy}
            onClick={interrupt}
          >
            Interrupt
          </Button>
        )}
        {canSteer && (
          <Button disabled={!sendable} title="Send now, while the agent is working" onClick={steer}>
            Steer
          </Button>
        )}
        {isFirst && (
          <Button
            look="quiet"
            disabled={!sendable}
            title="Add it to the end of the paused queue"
            onClick={() => send({})}
          >
            Queue
          </Button>
        )}
        <Button
          type="submit"
          look="primary"
          disabled={!sendable || sending.busy}
          title={isFirst ? "Send this first, then resume the queue" : undefined}
        >
          {isFirst ? "Send now" : running ? "Queue" : "Send"}
        </Button>
      </div>
      {[problem, sending.problem, attachments.problem].map(
        (each) =>
          each && (
            <div key={each.message} className="px-3.5 pb-2">
              <ProblemText problem={each} />
            </div>
          ),
      )}
    </form>
  );
});

/** Like `dir="auto"`, which scans the whole text on every keystroke and takes seconds for a long one. */
function directionOf(text: string): "ltr" | "rtl" {
  const first = /\p{L}/u.exec(text.slice(0, 1_000))?.[0] ?? "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
    ? "rtl"
    : "ltr";
}

const degraded: Readonly<Record<NonNullable<Receipt["degradedBecause"]>, string>> = {
  unsupported: "Not steered: this agent can't take messages while it works. Your message is queued.",
  idle: "Nothing was running, so your message started a new turn.",
  "open-interaction": "Not steered: the agent is waiting for an answer. Your message is queued.",
};

const newLine = `${keyText("Shift+Enter")} for a new line`;

interface HintProps {
  readonly sessionId: string;
  readonly running: boolean;
  readonly canSteer: boolean;
}

/** Why the last message was not steered, or else which keys send. */
function Hint({ sessionId, running, canSteer }: HintProps) {
  const { outbox } = useDrover();
  const reason = useStore(outbox.receipts, (receipts) => receipts[sessionId]?.degradedBecause);
  if (running && reason) return <span className="text-warn">{degraded[reason]}</span>;
  return (
    <span className="max-md:hidden">
      {canSteer
        ? `Enter to queue, ${keyText("Mod+Enter")} to steer, ${newLine}`
        : `Enter to ${running ? "queue" : "send"}, ${newLine}`}
    </span>
  );
}

function placeholder({ state, running, held }: Pick<ComposerProps, "state" | "running" | "held">): string {
  if (running) return "Queue a follow-up…";
  if (held) return "Send a message before the queue resumes…";
  if (state === "stopped" || state === "crashed") return "Send a message to restart the agent…";
  return "Message the agent…";
}
