import type { Interaction, Session } from "@drover/core";
import { useMemo, useState } from "react";
import { ChevronIcon } from "../ui/icons.tsx";
import type { Group } from "./groups.ts";
import { SessionRow } from "./session-row.tsx";

interface SessionGroupsProps {
  readonly groups: readonly Group[];
  readonly inbox: readonly Interaction[];
  readonly selected: string | undefined;
}

export function SessionGroups({ groups, inbox, selected }: SessionGroupsProps) {
  const open = useMemo(() => Map.groupBy(inbox, ({ sessionId }) => sessionId), [inbox]);
  return groups.map((group) => (
    <ProjectGroup key={group.key} group={group} open={open} selected={selected} />
  ));
}

interface ProjectGroupProps extends Pick<SessionGroupsProps, "selected"> {
  readonly group: Group;
  /** Open requests by session. */
  readonly open: ReadonlyMap<string, readonly Interaction[]>;
}

const none: readonly Interaction[] = [];

function ProjectGroup({ group, open, selected }: ProjectGroupProps) {
  const [folded, setFolded] = useState(false);
  const { name, path, sessions } = group;
  const waiting = sessions.reduce((sum, { id }) => sum + (open.get(id)?.length ?? 0), 0);
  return (
    <section aria-label={name} className="mb-2">
      <h2>
        <button
          type="button"
          aria-expanded={!folded}
          title={path}
          onClick={() => setFolded(!folded)}
          className="group/head flex h-7 w-full items-center gap-1 rounded-md px-2 font-medium text-2xs text-muted hover:text-ink max-md:h-10"
        >
          <span className="truncate">{name}</span>
          <span
            className={`text-faint transition-transform ${folded ? "" : "rotate-90 opacity-0 group-hover/head:opacity-100 group-focus-visible/head:opacity-100"}`}
          >
            <ChevronIcon size={11} />
          </span>
          {folded && (
            <span className="ml-auto text-faint tabular-nums">
              {waiting > 0 ? <span className="text-warn">{waiting} waiting</span> : sessions.length}
            </span>
          )}
        </button>
      </h2>
      {!folded && (
        <ul>
          {sessions.map((session: Session) => (
            <SessionRow
              key={session.id}
              session={session}
              open={open.get(session.id) ?? none}
              selected={selected === session.name || selected === session.id}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
