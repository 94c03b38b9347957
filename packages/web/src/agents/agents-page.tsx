import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useResource } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { type Family, familiesOf, isInstalled } from "./families.ts";
import { FamilyCard } from "./family-card.tsx";

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
  const families = familiesOf(value?.agents ?? []);
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
      <Group title="Installed" families={families.filter(isInstalled)} {...groupProps} />
      <Group
        title="Not installed"
        families={families.filter((family) => !isInstalled(family))}
        {...groupProps}
      />
    </Page>
  );
}

interface GroupProps {
  readonly title: string;
  readonly families: readonly Family[];
  readonly reload: () => void;
  readonly onInstalled: (name: string) => void;
}

function Group({ title, families, reload, onInstalled }: GroupProps) {
  if (families.length === 0) return null;
  return (
    <section className="mb-7">
      <h2 className="mb-2 font-medium text-muted text-xs">
        {title} · {families.length}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {families.map((family) => (
          <FamilyCard key={family.name} family={family} onChanged={reload} onInstalled={onInstalled} />
        ))}
      </ul>
    </section>
  );
}
