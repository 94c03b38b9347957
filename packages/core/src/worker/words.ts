import type { EventOf } from "../event.ts";

/** What the end of a worker's run brings, in the order of the log. */
export type WorkerReport = EventOf<"signal"> | EventOf<"commits"> | EventOf<"proposals_created">;

/** The same in one sentence, for people. */
export function reportText(report: WorkerReport): string {
  switch (report.type) {
    case "signal":
      return signalText(report);
    case "commits":
      return commitsText(report);
    case "proposals_created":
      return proposalsText(report);
  }
}

function signalText({ status, error, tries }: EventOf<"signal">): string {
  const when = tries > 1 ? `, in attempt ${tries}` : "";
  switch (status) {
    case "done":
      return `The worker reported that it is done${when}.`;
    case "questions":
      return `The worker asked questions${when}.`;
    case "error":
      return `The worker reported an error${when}: ${error ?? "no reason given"}`;
  }
}

function commitsText({ head, count, byDrover }: EventOf<"commits">): string {
  const last = head.slice(0, 7);
  if (count === 1)
    return byDrover ? `Drover committed the work as ${last}.` : `The worker committed ${last}.`;
  return `The branch has ${count} new commits, up to ${last}${byDrover ? ", the last one by Drover" : ""}.`;
}

function proposalsText({ open, invalid, superseded }: EventOf<"proposals_created">): string {
  const facts = [
    open === 1 ? "1 new proposal" : `${open} new proposals`,
    ...(superseded > 0 ? [`${superseded} replaced`] : []),
    ...(invalid > 0 ? [`${invalid} that can't be used`] : []),
  ];
  return `The worker left ${facts.join(", ")}.`;
}
