import type { Capabilities, Interaction, ToolKind } from "@drover/core";
import { useState } from "react";
import { exactText } from "../format/terminal.ts";
import { readInput } from "../format/tool-content.ts";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { Card, KeyHints } from "./card.tsx";
import { ExactInput } from "./exact-input.tsx";

const wishes: Readonly<Partial<Record<ToolKind, string>>> = {
  read: "wants to read",
  edit: "wants to change a file",
  delete: "wants to delete",
  move: "wants to move",
  search: "wants to search",
  execute: "wants to run a command",
  fetch: "wants to fetch from the network",
  switch_mode: "wants to change its mode",
};

interface ApprovalCardProps {
  readonly interaction: Interaction;
  readonly capabilities: Capabilities | undefined;
}

export function ApprovalCard({ interaction, capabilities }: ApprovalCardProps) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [reason, setReason] = useState<string>();
  const { agent, toolKind, toolName, title, input } = interaction;
  const wish = (toolKind && wishes[toolKind]) ?? `wants to use ${toolName ?? "a tool"}`;
  const { command } = readInput(input);
  const forSession = interaction.scopes.includes("session");

  const approve = (scope: "once" | "session") => void run(() => drover.approve(interaction, { scope }));
  const deny = () => void run(() => drover.deny(interaction, reason?.trim() ?? ""));
  const keys = { y: () => approve("once"), n: deny, ...(forSession ? { s: () => approve("session") } : {}) };
  return (
    <Card interaction={interaction} heading={`${agent} ${wish}`} keys={keys}>
      {title && !(command && title.includes(command)) && (
        <p className="-mt-2 break-words text-muted text-sm">{exactText(title)}</p>
      )}
      <ExactInput input={input} />
      {reason !== undefined && (
        <label className="grid gap-1 text-xs">
          Why not? The agent reads this.
          <input
            className="field"
            value={reason}
            // biome-ignore lint/a11y/noAutofocus: it has just been asked for
            autoFocus
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => event.key === "Enter" && deny()}
          />
        </label>
      )}
      <footer className="flex flex-wrap items-center gap-2">
        <Button look="primary" disabled={busy} onClick={() => approve("once")}>
          Approve
        </Button>
        {forSession && (
          <Button disabled={busy} onClick={() => approve("session")}>
            Approve for session
          </Button>
        )}
        <Button look="danger" disabled={busy} onClick={deny}>
          Deny
        </Button>
        {reason === undefined && capabilities?.denyReason !== false && (
          <Button look="quiet" className="max-md:px-1" disabled={busy} onClick={() => setReason("")}>
            Add a reason
          </Button>
        )}
        <KeyHints
          hints={[["y", "approve"], ...(forSession ? ([["s", "session"]] as const) : []), ["n", "deny"]]}
        />
      </footer>
      <ProblemText problem={problem} />
    </Card>
  );
}
