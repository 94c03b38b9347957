import type { IncomingMessage } from "node:http";

/** The client's cursor: `Last-Event-ID`, else `?after=`. */
export function cursorOf(request: IncomingMessage, after: string | undefined): number | undefined {
  const header = request.headers["last-event-id"];
  const cursor = typeof header === "string" && header !== "" ? header : after;
  if (cursor === undefined) return undefined;
  return /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
}
