import type { Session, SessionStateName } from "@drover/core";
import type { Cli } from "../cli.ts";
import { directoryOption } from "../directory.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { accountLabels } from "../server/account-reference.ts";
import { Client } from "../server/client.ts";
import { withQuery } from "../server/paths.ts";
import { type Styled, style } from "../terminal/styled.ts";
import { listedState } from "../view/review.ts";
import { paintState } from "../view/state.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { age } from "../view/words.ts";

export interface LsOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly all?: boolean;
  readonly unread?: boolean;
  readonly state?: SessionStateName;
  /** With commas between them. */
  readonly review?: string;
  readonly cwd?: string;
  readonly limit: number;
}

interface Page {
  readonly sessions: readonly Session[];
  readonly before?: string;
}

export async function ls(cli: Cli, options: LsOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const page = await list(cli, client, options);
  if (options.json) {
    printJson(cli, page);
    return exit.done;
  }
  if (page.sessions.length === 0) {
    const isFiltered =
      options.state !== undefined ||
      options.cwd !== undefined ||
      options.unread ||
      options.review !== undefined;
    const nothing = 'No sessions yet. Start one: drover run demo "tour"';
    say(cli, isFiltered ? "No sessions match. `drover ls --all` lists all of them." : nothing);
    return exit.done;
  }
  const labels = await accountLabels(client, page.sessions);
  const rows = page.sessions.map((session) => [
    session.name,
    session.agent,
    `${session.archived ? "archived" : listedState(session)}${session.unread ? ` ${unreadMark}` : ""}`,
    ...(labels ? [labels.get(session.account ?? "") ?? session.account ?? ""] : []),
    age(session.updatedAt),
    oneLine(session.title) || session.cwd,
  ]);
  printTable(cli.stdout, {
    headings: ["NAME", "AGENT", "STATE", ...(labels ? ["ACCOUNT"] : []), "AGE", "TITLE"],
    rows,
    paint: (cell, column) => (column === 2 ? paintListed(cell) : cell),
  });
  if (page.before) say(cli, `There are more sessions; --limit ${options.limit * 4} shows them.`);
  return exit.done;
}

const unreadMark = "● unread";

/** The state in its color, and the mark after it. */
function paintListed(cell: string): Styled {
  const at = cell.indexOf(unreadMark);
  return at < 0 ? paintState(cell) : [paintState(cell.slice(0, at)), style.cyan(cell.slice(at))];
}

async function list(cli: Cli, client: Client, options: LsOptions): Promise<Page> {
  const fetchPage = (archived: boolean) =>
    client.get<Page>(
      withQuery("/api/sessions", {
        limit: options.limit,
        state: options.state,
        review: options.review,
        unread: options.unread ? "true" : undefined,
        cwd: options.cwd === undefined ? undefined : directoryOption(cli, options.cwd),
        archived: String(archived),
      }),
    );
  const current = await fetchPage(false);
  if (!options.all) return current;
  const archived = await fetchPage(true);
  const byId = new Map([...current.sessions, ...archived.sessions].map((session) => [session.id, session]));
  const sessions = [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const before = current.before ?? archived.before;
  return { sessions, ...(before === undefined ? {} : { before }) };
}
