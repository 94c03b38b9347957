import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Proposal, ProposalList, ProposalText } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { findWorker } from "../session/find-worker.ts";
import { style } from "../terminal/styled.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { count } from "../view/words.ts";

export interface ProposalOptions extends ServerOptions {
  readonly show?: string;
  readonly export?: string;
  readonly rm?: string;
}

interface Found {
  readonly client: Client;
  readonly proposals: readonly Proposal[];
}

/** Lists what a worker proposes; or shows, exports or deletes it. */
export async function proposals(
  cli: Cli,
  { name, options }: { readonly name: string; readonly options: ProposalOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const worker = await findWorker(client, name);
  const list = await client.get<ProposalList>(sessionPath(worker.id, "proposals"));
  const found = { client, proposals: list.proposals };
  if (options.show !== undefined) return show(cli, found, { ...options, id: options.show });
  if (options.rm !== undefined) return remove(cli, found, { ...options, id: options.rm });
  if (options.export !== undefined) return exportTo(cli, found, { ...options, directory: options.export });
  if (options.json) printJson(cli, list);
  else if (list.proposals.length === 0) say(cli, `${worker.name} has proposed nothing.`);
  else print(cli, list.proposals);
  return exit.done;
}

function print(cli: Cli, list: readonly Proposal[]): void {
  printTable(cli.stdout, {
    headings: ["ID", "RUN", "KIND", "ACTION", "STATE", "TITLE"],
    rows: list.map(({ id, run, kind, action, state, title }) => [
      ...[id, String(run), kind, action, state, title],
    ]),
    paint: (cell, column) => (column === 4 && cell.startsWith("invalid") ? style.yellow(cell) : cell),
  });
  for (const { file, problem } of list)
    if (problem !== undefined) say(cli, `${file} cannot be used: ${oneLine(problem)}`);
}

async function show(
  cli: Cli,
  found: Found,
  { id, json }: ServerOptions & { readonly id: string },
): Promise<ExitCode> {
  const proposal = await textOf(found, id);
  if (json) printJson(cli, proposal);
  else cli.stdout.lines(asFile(proposal).trimEnd().split("\n"));
  return exit.done;
}

async function remove(
  cli: Cli,
  found: Found,
  { id, json }: ServerOptions & { readonly id: string },
): Promise<ExitCode> {
  const proposal = named(found, id);
  const answer = await found.client.delete(pathOf(proposal.id));
  if (json) printJson(cli, answer);
  else say(cli, `Deleted ${oneLine(proposal.title)}.`);
  return exit.done;
}

/** Writes the open ones as files, below a folder for each kind. Files that exist are not replaced. */
async function exportTo(
  cli: Cli,
  found: Found,
  { directory, json }: ServerOptions & { readonly directory: string },
): Promise<ExitCode> {
  const files: string[] = [];
  for (const { id, file, state } of found.proposals) {
    if (state !== "open") continue;
    const to = join(resolve(cli.settings.cwd, directory), basename(dirname(file)), basename(file));
    await write(to, asFile(await textOf(found, id)));
    files.push(to);
  }
  if (json) printJson(cli, { files });
  else say(cli, `Exported ${count(files.length, "proposal")} to ${directory}.`);
  return exit.done;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === "EEXIST" ? `${file} exists.` : `${file} cannot be written: ${message}.`;
    throw new CliError(exit.conflict, why, "Export to another directory, or to a new one.");
  }
}

/** As a worker writes it. JSON is YAML, too. */
function asFile({ title, action, targetId, meta, body }: ProposalText): string {
  const fields = Object.entries({ title, action, ...(targetId === undefined ? {} : { targetId }), ...meta });
  const keyed = (key: string) => (/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key));
  const front = fields.map(([key, value]) => `${keyed(key)}: ${JSON.stringify(value)}\n`).join("");
  return `---\n${front}---\n${body}`;
}

const textOf = (found: Found, id: string): Promise<ProposalText> =>
  found.client.get(pathOf(named(found, id).id));

const pathOf = (id: string): string => `/api/proposals/${encodeURIComponent(id)}`;

/** The proposal that an id or the start of one means. */
function named({ proposals: all }: Found, id: string): Proposal {
  const matching = all.filter((one) => one.id === id || one.id.startsWith(id));
  const [proposal] = matching;
  if (proposal && matching.length === 1) return proposal;
  const problem = proposal ? `${id} means several proposals.` : `There is no proposal ${id}.`;
  throw new CliError(exit.notFound, problem, "`drover worker proposals WORKER` lists them.");
}
