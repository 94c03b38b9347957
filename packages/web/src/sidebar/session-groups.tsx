import type { Interaction, Session } from "@drover/core";
import { useState } from "react";
import { ChevronIcon } from "../ui/icons.tsx";
import type { Group } from "./groups.ts";
import { SessionRow } from "./session-row.tsx";

interface SessionListProps {
  readonly groups: readonly Group[];
  readonly inbox: readonly Interaction[];
  readonly selected: string | undefined;
}

export function SessionGroups({ groups, inbox, selected }: SessionListProps) {
  return groups.map((group) => (
    <ProjectGroup key={group.key} group={group} inbox={inbox} selected={selected} />
  ));
}

interface ProjectGroupProps extends Omit<SessionListProps, "groups"> {
  readonly group: Group;
}

function ProjectGroup({ group, inbox, selected }: ProjectGroupProps) {
  const [folded, setFolded] = useState(false);
  const { name, path, sessions } = group;
  const waiting = inbox.filter(({ sessionId }) => sessions.some(({ id }) => id === sessionId)).length;
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
              open={inbox.filter(({ sessionId }) => sessionId === session.id)}
              selected={selected === session.name || selected === session.id}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
