import type { Interaction } from "@drover/core";
import { useRef } from "react";
import { useDrover } from "../state/drover.ts";
import { useAnswerDraft } from "../storage/answer-drafts.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { Card } from "./card.tsx";
import { ExactInput } from "./exact-input.tsx";
import { OffersNote } from "./offers-note.tsx";

/** A plan to approve, to approve with edits accepted automatically, or to send back with feedback. */
export function PlanCard({ interaction }: { interaction: Interaction }) {
  const drover = useDrover();
  const { run, ...answer } = useAction();
  const { busy } = answer;
  const [feedback = "", setFeedback] = useAnswerDraft<string>(interaction.id, "reason");
  const field = useRef<HTMLInputElement>(null);
  const approve = () => void run(() => drover.approve(interaction, { scope: "once" }));
  const approveEdits = () =>
    void run(() => drover.approve(interaction, { scope: "once", permissionMode: "acceptEdits" }));
  const deny = () => void run(() => drover.deny(interaction, feedback.trim()));
  const keys = {
    approve,
    "approve-edits": approveEdits,
    deny,
    "deny-reason": () => field.current?.focus(),
  };
  return (
    <Card
      interaction={interaction}
      keys={keys}
      answer={answer}
      hints={[
        ["approve", "approve"],
        ["approve-edits", "and accept edits"],
        ["deny-reason", "revise"],
      ]}
    >
      <ExactInput input={interaction.input} diffs={interaction.diffs} />
      <OffersNote offers={interaction.offers} />
      <label className="grid gap-1 text-xs">
        What should change?
        <input
          ref={field}
          className="field"
          value={feedback}
          onChange={(event) => setFeedback(event.target.value)}
          onKeyDown={({ key }) => key === "Enter" && feedback.trim() && deny()}
        />
      </label>
      <footer className="flex flex-wrap items-center gap-2">
        <Button look="primary" className="max-md:grow" disabled={busy} onClick={approve}>
          Approve
        </Button>
        <Button className="max-md:grow" disabled={busy} onClick={approveEdits}>
          Approve and accept edits
        </Button>
        <Button
          look={feedback.trim() ? "plain" : "danger"}
          className="max-md:grow"
          disabled={busy}
          onClick={deny}
        >
          {feedback.trim() ? "Revise" : "Deny"}
        </Button>
      </footer>
    </Card>
  );
}
