import type { Interaction } from "@drover/core";
import { useRef } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { clockTime, fullTime } from "../format/time.ts";
import { headingOf } from "../interaction/summary.ts";
import { focusUnchosen, useRested } from "../interaction/use-rested.ts";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { Subject } from "./subject.tsx";

/** A request that expired unanswered: the agent can be asked to try again. */
export function ExpiredRequest({ interaction }: { interaction: Interaction }) {
  const { id, sessionId, at = interaction.createdAt } = interaction;
  const { busy, problem, run } = useAction();
  // What stands here next may be an approval: the second click of a double click must not answer it.
  const rested = useRested();
  const section = useRef<HTMLElement>(null);
  const followUp = async (action: "ask-again" | "dismiss") => {
    const next = neighborOf(section.current);
    const done = await run(() => api("POST", `/api/sessions/${sessionId}/${action}`, { toolCallId: id }));
    if (done) focusUnchosen(next);
  };
  return (
    <section
      ref={section}
      aria-label={`Expired: ${headingOf(interaction, useAgentName(interaction.agent))}`}
      className="rounded-lg border border-line px-3.5 py-2.5"
    >
      <Subject interaction={interaction} />
      <p className="flex flex-wrap items-center gap-x-1 text-muted text-xs">
        <span>
          Expired{" "}
          <time dateTime={at} title={fullTime(at)}>
            {clockTime(at)}
          </time>
          {" ·"}
        </span>
        <Button look="quiet" disabled={busy || !rested} onClick={() => void followUp("ask-again")}>
          Ask again
        </Button>
        <Button look="quiet" disabled={busy || !rested} onClick={() => void followUp("dismiss")}>
          Dismiss
        </Button>
      </p>
      <ProblemText problem={problem} />
    </section>
  );
}

/** Where the focus goes when this entry leaves the list. */
function neighborOf(section: HTMLElement | null): HTMLElement | undefined {
  const entry = section?.closest("li");
  const neighbor = entry?.nextElementSibling ?? entry?.previousElementSibling;
  const card = neighbor?.querySelector<HTMLElement>("[data-interaction]");
  return card ?? neighbor?.querySelector<HTMLElement>("button, a") ?? undefined;
}
