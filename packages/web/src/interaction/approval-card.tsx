import { type Capabilities, exactInput, grantWords, type Interaction, isChangeGate } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { forgetAnswerDraft, useAnswerDraft } from "../storage/answer-drafts.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { AmendField } from "./amend-field.tsx";
import { Card } from "./card.tsx";
import { ExactInput } from "./exact-input.tsx";
import { GatedChanges } from "./gated-changes.tsx";
import { OffersNote } from "./offers-note.tsx";
import { ReasonField } from "./reason-field.tsx";

interface ApprovalCardProps {
  readonly interaction: Interaction;
  readonly capabilities: Capabilities | undefined;
}

export function ApprovalCard({ interaction, capabilities }: ApprovalCardProps) {
  const drover = useDrover();
  const { run, ...answer } = useAction();
  const { busy } = answer;
  const { id, input, diffs } = interaction;
  const [writing, setWriting] = useAnswerDraft<"reason" | "input">(id, "writing");
  /** How often the person opened a field here. Each time it takes focus; a field restored from a draft does not. */
  const [asked, setAsked] = useState(0);
  const granted = grantWords(interaction);
  const isGate = isChangeGate(interaction);
  const can = {
    session: granted !== undefined,
    amend: capabilities?.amend === true && input !== undefined && !isGate,
  };

  const approve = (scope: "once" | "session") => void run(() => drover.approve(interaction, { scope }));
  const amend = (amended: unknown) =>
    void run(() => drover.approve(interaction, { scope: "once", input: amended }));
  const deny = (reason: string) => void run(() => drover.deny(interaction, reason));
  const write = (what: "reason" | "input") => {
    setAsked(asked + 1);
    setWriting(what);
  };
  const field = {
    interactionId: id,
    disabled: busy,
    autoFocus: asked > 0,
    onCancel: () => {
      setWriting(undefined);
      forgetAnswerDraft(id);
    },
  };
  const keys = {
    approve: () => approve("once"),
    deny: () => deny(""),
    ...(can.session ? { "approve-session": () => approve("session") } : {}),
    ...(can.amend ? { amend: () => write("input") } : {}),
    "deny-reason": () => write("reason"),
  };
  return (
    <Card
      interaction={interaction}
      keys={keys}
      answer={answer}
      hints={[
        ["approve", "approve"],
        ...(can.session ? ([["approve-session", "session"]] as const) : []),
        ["deny-reason", "deny"],
      ]}
    >
      {writing === "input" ? (
        <AmendField key={asked} {...field} input={input} diffs={diffs} onApprove={amend} />
      ) : isGate ? (
        <GatedChanges interaction={interaction} />
      ) : (
        <ExactInput input={input} diffs={diffs} />
      )}
      {writing === "reason" && (
        <ReasonField
          key={asked}
          {...field}
          agentSeesReason={isGate || capabilities?.denyReason !== false}
          onDeny={deny}
        />
      )}
      <OffersNote offers={interaction.offers} />
      {writing === undefined && (
        <footer className="flex flex-wrap items-center gap-2">
          <Button look="primary" className="max-md:grow" disabled={busy} onClick={() => approve("once")}>
            Approve
          </Button>
          {granted !== undefined && (
            <Button
              className="max-md:grow"
              title={`Don't ask again about ${exactInput(granted)} in this session`}
              disabled={busy}
              onClick={() => approve("session")}
            >
              Approve <code className="break-all">{exactInput(granted)}</code> for this session
            </Button>
          )}
          <Button look="danger" className="max-md:grow" disabled={busy} onClick={() => deny("")}>
            Deny
          </Button>
          <Button look="danger" className="max-md:grow" disabled={busy} onClick={() => write("reason")}>
            Deny with reason…
          </Button>
          {can.amend && (
            <Button look="quiet" disabled={busy} onClick={() => write("input")}>
              Edit
            </Button>
          )}
        </footer>
      )}
    </Card>
  );
}
