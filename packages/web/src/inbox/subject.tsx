import type { Interaction } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { headingOf, subjectOf } from "../interaction/summary.ts";

/** What was asked, on one line. */
export function Subject({ interaction }: { interaction: Interaction }) {
  const isCommand = interaction.toolKind === "execute";
  return (
    <p className="flex min-w-0 items-baseline gap-2 text-muted">
      <span className="shrink-0">{headingOf(interaction, useAgentName(interaction.agent))}</span>
      <span className={`truncate ${isCommand ? "font-mono text-xs" : ""}`}>{subjectOf(interaction)}</span>
    </p>
  );
}
