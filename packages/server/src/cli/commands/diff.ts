import { stagedHeading, type WorkspaceChanges } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { type Styled, style } from "../terminal/styled.ts";
import { printTable } from "../view/table.ts";

export interface DiffOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly path?: string;
  readonly stat?: boolean;
  readonly turn?: string;
  readonly against?: string;
  /** The session that this one is compared with. */
  readonly with?: string;
}

interface DiffRequest {
  readonly session: string;
  readonly options: DiffOptions;
}

/** Prints the changes in a session's directory, or of one turn: the diff in git's format, or the list of files. */
export async function diff(cli: Cli, { session: reference, options }: DiffRequest): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await resolveSession(client, reference);
  const other = options.with === undefined ? undefined : await resolveSession(client, options.with);
  const which = { turn: options.turn, against: options.against, with: other };
  if (options.json || options.stat) return listFiles(cli, client, { session, which, isJson: options.json });
  const path = withQuery(sessionPath(session, "diff"), { path: options.path, ...which });
  const response = await client.persist(undefined, true, () => client.open({ method: "GET", path }));
  if (!cli.stdout.isTerminal) {
    await cli.stdout.copy(response);
    return exit.done;
  }
  for await (const line of linesOf(response)) cli.stdout.line(painted(line));
  return exit.done;
}

/** Splits at LF only: a CR inside a line must not look like the start of another line. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partial = "";
  for await (const bytes of body) {
    const lines = (partial + decoder.decode(bytes, { stream: true })).split("\n");
    partial = lines.pop() ?? "";
    yield* lines;
  }
  partial += decoder.decode();
  if (partial !== "") yield partial;
}

interface Listed {
  readonly session: string;
  readonly which: Record<"turn" | "against" | "with", string | undefined>;
  readonly isJson: boolean | undefined;
}

async function listFiles(cli: Cli, client: Client, { session, which, isJson }: Listed): Promise<ExitCode> {
  const path = withQuery(sessionPath(session, "workspace"), which);
  const changes = await client.get<WorkspaceChanges>(path);
  if (isJson) {
    printJson(cli, changes);
    return exit.done;
  }
  if (changes.files.length === 0) {
    const { turn, against, with: other } = which;
    const isUncommitted = !turn && !other && (against ?? "head") === "head";
    const none = isUncommitted ? "No uncommitted changes." : "No changes.";
    say(cli, changes.versioned ? none : `${changes.path} is not in a git repository.`);
    return exit.done;
  }
  const rows = changes.files.map(({ status, added, removed, binary, staged, path }) => [
    staged ? `${status}, staged differently` : status,
    binary ? "binary" : `+${added} -${removed}`,
    path,
  ]);
  printTable(cli.stdout, { headings: ["STATUS", "LINES", "FILE"], rows });
  return exit.done;
}

function painted(line: string): Styled {
  const { bold, cyan, green, red } = style;
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename |old mode|new mode)/.test(line)) {
    return bold(line);
  }
  if (line === stagedHeading) return style.yellow(line);
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  return line.startsWith("-") ? red(line) : line;
}
