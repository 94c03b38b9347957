import type { Proposal, ProposalList, Session } from "@drover/core";
import { useEffect, useRef } from "react";
import { useAnswer } from "../state/use-resource.ts";
import { Empty } from "../ui/empty.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { ProposalRow } from "./proposal-row.tsx";

const groups = {
  open: "Open",
  invalid: "Can't be used",
  superseded: "Replaced by later ones",
} as const satisfies Record<Proposal["state"], string>;

/** What a worker proposes: read, copied, saved or deleted here. */
export function ProposalsPage({ session }: { session: Session }) {
  const { value, problem, reload } = useAnswer<ProposalList>(`/api/sessions/${session.id}/proposals`);
  const { open = 0, invalid = 0 } = session.worker?.proposals ?? {};
  const known = `${session.run} ${open} ${invalid}`;
  const last = useRef(known);
  useEffect(() => {
    if (last.current !== known) reload();
    last.current = known;
  }, [known, reload]);
  const states = Object.keys(groups) as (keyof typeof groups)[];
  return (
    <div className="column-scroller min-h-0 flex-1">
      <div className="column py-5">
        <ProblemText problem={problem} />
        {value?.proposals.length === 0 && (
          <Empty title="No proposals">
            <p>What the worker proposes appears here at the end of its run.</p>
          </Empty>
        )}
        {states.map((state) => {
          const proposals = value?.proposals.filter((proposal) => proposal.state === state) ?? [];
          if (proposals.length === 0) return null;
          return (
            <section key={state} aria-label={groups[state]} className="not-first:mt-7">
              <h2 className="mb-2 font-semibold">
                {groups[state]} <span className="font-normal text-faint">{proposals.length}</span>
              </h2>
              <ul className="divide-y divide-line rounded-lg border border-line">
                {proposals.map((proposal) => (
                  <ProposalRow key={proposal.id} proposal={proposal} onDeleted={reload} />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}
