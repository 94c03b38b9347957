import { ChevronIcon } from "../ui/icons.tsx";
import { AgentCard } from "./agent-card.tsx";
import type { Family } from "./families.ts";

interface FamilyCardProps {
  readonly family: Family;
  readonly onChanged: () => void;
  readonly onInstalled: (name: string) => void;
}

/** A product: its recommended variant, and the others behind a disclosure. */
export function FamilyCard({ family: { recommended, others }, onChanged, onInstalled }: FamilyCardProps) {
  return (
    <li>
      <AgentCard
        agent={recommended}
        isRecommended={others.length > 0}
        onChanged={onChanged}
        onInstalled={() => onInstalled(recommended.name)}
      />
      {others.length > 0 && (
        // Open if one of them is in use.
        <details className="group/variants pb-3" open={others.some(({ installed }) => installed)}>
          <summary className="ml-15.5 flex w-fit list-none items-center gap-1 text-muted text-xs hover:text-ink">
            <span className="group-open/variants:rotate-90">
              <ChevronIcon size={12} />
            </span>
            {others.length === 1 ? "1 other variant" : `${others.length} other variants`}
          </summary>
          <ul>
            {others.map((agent) => (
              <li key={agent.agent}>
                <AgentCard agent={agent} onChanged={onChanged} onInstalled={() => onInstalled(agent.name)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
