import type { EventOf } from "../event.ts";

/** What a worker reported, in one sentence. */
export function signalText({ status, error, tries }: EventOf<"signal">): string {
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

/** What a worker's branch has gained, in one sentence. */
export function commitsText({ head, count, byDrover }: EventOf<"commits">): string {
  const last = head.slice(0, 7);
  if (count === 1)
    return byDrover ? `Drover committed the work as ${last}.` : `The worker committed ${last}.`;
  return `The branch has ${count} new commits, up to ${last}${byDrover ? ", the last one by Drover" : ""}.`;
}
