import type { Session } from "@drover/core";
import { type SessionTab, sessionHref } from "../session/session-href.ts";
import { columnOf } from "./columns.ts";

/** A link to what a person should look at first. */
export const workerHref = (worker: Session): string => sessionHref(worker.name, tabFor(worker));

function tabFor(session: Session): SessionTab {
  const column = columnOf(session);
  if (column !== "review" && column !== "merged") return "transcript";
  if (session.review && session.review.state !== "none") return "review";
  return session.worker?.proposals ? "proposals" : "transcript";
}
