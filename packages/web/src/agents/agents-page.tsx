import type { AgentInfo } from "@drover/core";
import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { AgentCard } from "./agent-card.tsx";

/** The agents of this machine, their status, and how to install or fix the others. */
export function AgentsPage() {
  const { connection, agents: resource } = useDrover();
  const { value, problem, busy, reload } = useResource(resource);
  useEffect(
    () =>
      connection.onAnnouncement(({ type }) => {
        if (type === "agent:status") reload();
      }),
    [connection, reload],
  );
  // People install agents and log in to them elsewhere, so reload when they come back to this tab.
  useEffect(() => {
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, [reload]);
  const [added, setAdded] = useState<string>();
  const onInstalled = (name: string) => {
    setAdded(name);
    reload();
  };
  const agents = value?.agents ?? [];
  const groupProps = { reload, onInstalled };
  return (
    <Page
      title="Agents"
      about="The agents Drover can run. Each uses its own login on this machine. Add more in drover.yaml."
      actions={
        <Button disabled={busy} onClick={reload}>
          Refresh
        </Button>
      }
    >
      <ProblemText problem={problem} />
      <p role="status" className="text-good text-sm not-empty:mb-3">
        {added && `${added} is installed.`}
      </p>
      <Group title="Installed" agents={agents.filter(({ installed }) => installed)} {...groupProps} />
      <Group title="Not installed" agents={agents.filter(({ installed }) => !installed)} {...groupProps} />
    </Page>
  );
}

interface GroupProps {
  readonly title: string;
  readonly agents: readonly AgentInfo[];
  readonly reload: () => void;
  readonly onInstalled: (name: string) => void;
}

function Group({ title, agents, reload, onInstalled }: GroupProps) {
  if (agents.length === 0) return null;
  return (
    <section className="mb-7">
      <h2 className="mb-2 font-medium text-muted text-xs">
        {title} · {agents.length}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {agents.map((agent) => (
          <AgentCard
            key={agent.agent}
            agent={agent}
            onChanged={reload}
            onInstalled={() => onInstalled(agent.name)}
          />
        ))}
      </ul>
    </section>
  );
}
