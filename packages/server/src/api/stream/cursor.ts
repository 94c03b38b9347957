import type { IncomingMessage } from "node:http";

/** Where a client says it stands: `Last-Event-ID`, else `?after=`. */
export function cursorOf(request: IncomingMessage, after: string | undefined): number | undefined {
  const header = request.headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : after;
  if (given === undefined) return undefined;
  return /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
}
