import type { EventBody } from "@drover/core";

/** Events with messages of Drover's own. Others have what agents and people said, which stays as they said it. */
const ownWords: ReadonlySet<EventBody["type"]> = new Set(["error", "notice", "done", "session_status"]);

/** The event without any secret in Drover's own words. */
export const withoutSecrets = (body: EventBody, redact: (text: string) => string): EventBody =>
  ownWords.has(body.type) ? (redacted(body, redact) as EventBody) : body;

export function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redacted(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redacted(each, redact)]));
}
