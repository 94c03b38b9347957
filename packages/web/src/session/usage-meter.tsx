import type { Usage } from "@drover/core";
import { usageWords } from "../format/words.ts";

const radius = 5.5;
const round = 2 * Math.PI * radius;

/** Tokens and money so far, and how full the agent's context is; nothing where the agent has not told. */
export function UsageMeter({ usage }: { usage: Usage }) {
  const { contextTokens, contextMaxTokens } = usage;
  const facts = usageWords(usage);
  const full = contextMaxTokens ? Math.min(1, (contextTokens ?? 0) / contextMaxTokens) : 0;
  if (facts.length === 0 && full === 0) return null;
  return (
    <p
      className="flex items-center gap-x-2 tabular-nums"
      title={`${usage.inputTokens.toLocaleString()} tokens in, ${usage.outputTokens.toLocaleString()} out`}
    >
      {facts.map((fact) => (
        <span key={fact} className="max-md:hidden">
          {fact}
        </span>
      ))}
      {full > 0 && contextMaxTokens && (
        <span
          className={`flex items-center gap-1 ${full > 0.85 ? "text-warn" : ""}`}
          title={`${(contextTokens ?? 0).toLocaleString()} of ${contextMaxTokens.toLocaleString()} tokens of context`}
        >
          <svg aria-hidden="true" width="14" height="14" viewBox="0 0 14 14" fill="none" strokeWidth="2">
            <circle cx="7" cy="7" r={radius} stroke="var(--line-strong)" />
            <circle
              cx="7"
              cy="7"
              r={radius}
              stroke="currentColor"
              strokeLinecap="round"
              strokeDasharray={`${full * round} ${round}`}
              transform="rotate(-90 7 7)"
            />
          </svg>
          <span className="sr-only">Context</span>
          {Math.round(100 * full)}%
        </span>
      )}
    </p>
  );
}
