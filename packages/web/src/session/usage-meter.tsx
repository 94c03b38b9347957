import type { Usage } from "@drover/core";
import { usageWords } from "../format/words.ts";
import { Meter } from "../ui/meter.tsx";

/** Tokens, cost and context usage, as far as the agent reports them. */
export function UsageMeter({ usage }: { usage: Usage }) {
  const { contextTokens = 0, contextMaxTokens } = usage;
  const facts = usageWords(usage);
  const full = contextMaxTokens ? contextTokens / contextMaxTokens : 0;
  if (facts.length === 0 && full === 0) return null;
  return (
    <div
      className="flex items-center gap-x-2 tabular-nums"
      title={`${usage.inputTokens.toLocaleString()} tokens in, ${usage.outputTokens.toLocaleString()} out`}
    >
      {facts.map((fact) => (
        <span key={fact} className="max-md:hidden">
          {fact}
        </span>
      ))}
      {full > 0 && contextMaxTokens && (
        <Meter
          label="Context"
          value={full}
          title={`${contextTokens.toLocaleString()} of ${contextMaxTokens.toLocaleString()} tokens of context`}
        />
      )}
    </div>
  );
}
