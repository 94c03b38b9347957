import type { Session } from "@drover/core";
import { CliError, exit } from "../exit.ts";
import type { Client } from "./client.ts";
import { withQuery } from "./paths.ts";

const fullId = /^ses_[0-9a-z]{26}$/;
/** Names start with a letter and contain no underscore, so this is never a name. */
const idPrefix = /^(?:ses_)?[0-9][0-9a-z]*$/;

/** Candidates listed for an ambiguous prefix. */
const maxCandidates = 10;

type Candidate = Pick<Session, "id" | "name">;

/**
 * Turns what a person typed into a name or full id. Names and full ids are returned unchanged and cost no request; the
 * start of an id is replaced with the id of the only session it matches.
 */
export async function resolveSession(client: Client, reference: string): Promise<string> {
  if (fullId.test(reference) || !idPrefix.test(reference)) return reference;
  const prefix = reference.startsWith("ses_") ? reference : `ses_${reference}`;
  const matches = (await allSessions(client)).filter(({ id }) => id.startsWith(prefix));
  const [match] = matches;
  if (match && matches.length === 1) return match.id;
  if (match) throw ambiguous(reference, matches);
  throw new CliError(
    exit.notFound,
    `No session id starts with "${reference}".`,
    "`drover ls` lists the sessions.",
  );
}

async function allSessions(client: Client): Promise<Candidate[]> {
  const found = new Map<string, Candidate>();
  for (const archived of ["false", "true"]) {
    let before: string | undefined;
    do {
      const path = withQuery("/api/sessions", { limit: 1000, archived, before });
      const page = await client.get<{ sessions: readonly Candidate[]; before?: string }>(path);
      for (const session of page.sessions) found.set(session.id, session);
      before = page.before;
    } while (before !== undefined);
  }
  return [...found.values()];
}

function ambiguous(reference: string, matches: readonly Candidate[]): CliError {
  const listed = matches.slice(0, maxCandidates).map(({ id, name }) => `${id} (${name})`);
  const more = matches.length > listed.length ? [`and ${matches.length - listed.length} more`] : [];
  const next = `Use a name or more of the id: ${[...listed, ...more].join(", ")}`;
  return new CliError(exit.conflict, `"${reference}" matches ${matches.length} sessions.`, next);
}
