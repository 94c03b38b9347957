import type { Capabilities, Interaction } from "@drover/core";
import { useState } from "react";
import { exactText } from "../format/terminal.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { useAction } from "../ui/use-action.ts";
import { AmendField } from "./amend-field.tsx";
import { Card } from "./card.tsx";
import { ExactInput } from "./exact-input.tsx";
import { ReasonField } from "./reason-field.tsx";
import { saysMore } from "./summary.ts";

interface ApprovalCardProps {
  readonly interaction: Interaction;
  readonly capabilities: Capabilities | undefined;
}

export function ApprovalCard({ interaction, capabilities }: ApprovalCardProps) {
  const drover = useDrover();
  const { run, ...answer } = useAction();
  const { busy } = answer;
  const [writing, setWriting] = useState<"reason" | "input">();
  const { title, input, diffs } = interaction;
  const can = {
    session: interaction.scopes.includes("session"),
    amend: capabilities?.amend === true && input !== undefined,
  };

  const approve = (scope: "once" | "session") => void run(() => drover.approve(interaction, { scope }));
  const amend = (amended: unknown) =>
    void run(() => drover.approve(interaction, { scope: "once", input: amended }));
  const deny = (reason: string) => void run(() => drover.deny(interaction, reason));
  const stopWriting = () => setWriting(undefined);
  const keys = {
    approve: () => approve("once"),
    deny: () => deny(""),
    ...(can.session ? { "approve-session": () => approve("session") } : {}),
    ...(can.amend ? { amend: () => setWriting("input") } : {}),
    "deny-reason": () => setWriting("reason"),
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
      {saysMore(interaction) && (
        <p className="-mt-2 break-words text-muted text-sm">{exactText(title ?? "")}</p>
      )}
      {writing === "input" ? (
        <AmendField input={input} disabled={busy} onApprove={amend} onCancel={stopWriting} />
      ) : (
        <ExactInput input={input} diffs={diffs} />
      )}
      {writing === "reason" && (
        <ReasonField
          isTold={capabilities?.denyReason !== false}
          disabled={busy}
          onDeny={deny}
          onCancel={stopWriting}
        />
      )}
      {writing === undefined && (
        <footer className="flex flex-wrap items-center gap-2">
          <Button look="primary" className="max-md:grow" disabled={busy} onClick={() => approve("once")}>
            Approve
          </Button>
          {can.session && (
            <Button className="max-md:grow" disabled={busy} onClick={() => approve("session")}>
              Approve for session
            </Button>
          )}
          <Button look="danger" className="max-md:grow" disabled={busy} onClick={() => deny("")}>
            Deny
          </Button>
          <span className="flex max-md:-ml-3 max-md:basis-full">
            <Button look="quiet" disabled={busy} onClick={() => setWriting("reason")}>
              Add a reason
            </Button>
            {can.amend && (
              <Button look="quiet" disabled={busy} onClick={() => setWriting("input")}>
                Change
              </Button>
            )}
          </span>
        </footer>
      )}
    </Card>
  );
}
