import type { Capabilities, Interaction } from "@drover/core";
import { ApprovalCard } from "./approval-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { QuestionCard } from "./question-card.tsx";

interface InteractionCardProps {
  readonly interaction: Interaction;
  readonly capabilities: Capabilities | undefined;
}

export function InteractionCard({ interaction, capabilities }: InteractionCardProps) {
  if (interaction.kind === "question") return <QuestionCard interaction={interaction} />;
  if (interaction.toolKind === "plan") return <PlanCard interaction={interaction} />;
  return <ApprovalCard interaction={interaction} capabilities={capabilities} />;
}
