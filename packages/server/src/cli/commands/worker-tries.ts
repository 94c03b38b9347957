import { type DeletedSession, elapsed, type Reviewed, type Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { findWorker, workersIn } from "../session/find-worker.ts";
import { awayReporter } from "../view/away.ts";
import { listedState } from "../view/review.ts";
import { paintState } from "../view/state.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { changesOf, textOf } from "../view/worker.ts";
import { whereItIs } from "./control.ts";
import { diff } from "./diff.ts";

export interface CompareOptions extends ServerOptions {
  /** Two workers whose work is printed as a diff, from the first to the second. */
  readonly diff?: readonly string[];
}

/** Prints the tries at one task side by side, or what one of them has otherwise than another. */
export async function compare(
  cli: Cli,
  { batch: reference, options }: { readonly batch: string; readonly options: CompareOptions },
): Promise<ExitCode> {
  const client = await connect(cli, options);
  const workers = await triesOf(client, reference);
  const batch = workers[0]?.worker?.batch ?? reference;
  const { diff: pair, ...shared } = options;
  if (pair) {
    const [first, second] = pair.map((name) => among(workers, name));
    if (!first || !second || pair.length > 2)
      throw new CliError(exit.usage, "--diff takes the names of two workers.");
    return diff(cli, { session: second.id, options: { ...shared, with: first.id } });
  }
  if (options.json) {
    printJson(cli, { batch, workers });
    return exit.done;
  }
  const isPaid = workers.some(({ usage }) => usage.costUsd !== undefined);
  printTable(cli.stdout, {
    headings: ["NAME", "AGENT", "STATE", "TIME", ...(isPaid ? ["COST"] : []), "CHANGES", "RESULT"],
    rows: workers.map((worker) => [
      ...[worker.name, worker.agent, listedState(worker), timeOf(worker)],
      ...[...(isPaid ? [costOf(worker)] : []), changesOf(worker), resultOf(worker)],
    ]),
    paint: (cell, column) => (column === 2 ? paintState(cell) : cell),
  });
  const [first, second] = workers;
  if (first && second) {
    say(cli, `drover worker compare ${batch} --diff ${first.name} ${second.name}  shows what differs`);
    say(cli, `drover worker accept ${first.name} --discard-others  keeps one`);
  }
  return exit.done;
}

/** The workers of a batch. `reference` is the batch, or one of its workers. */
async function triesOf(client: Client, reference: string): Promise<Session[]> {
  const named = isBatch.test(reference) ? await workersIn(client, reference) : [];
  if (named.length > 0) return named;
  const worker = await findWorker(client, reference);
  return worker.worker?.batch === undefined ? noBatch(worker) : workersIn(client, worker.worker.batch);
}

const isBatch = /^[a-z0-9_-]{1,64}$/;

function noBatch({ name }: Session): never {
  const next = "`drover worker spawn AGENT --count 3 TASK` starts several tries at one task.";
  throw new CliError(exit.conflict, `${name} is the only try at its task.`, next);
}

function among(workers: readonly Session[], reference: string): Session {
  const found = workers.find(({ id, name }) => name === reference || id === reference);
  if (found) return found;
  const names = workers.map(({ name }) => name).join(", ");
  throw new CliError(exit.notFound, `${reference} is not one of these tries.`, `They are: ${names}`);
}

function timeOf({ turn, lastTurn }: Session): string {
  if (turn) return elapsed(turn.startedAt, new Date().toISOString());
  return lastTurn ? elapsed(lastTurn.startedAt, lastTurn.endedAt) : "";
}

const costOf = ({ usage: { costUsd } }: Session): string =>
  costUsd === undefined ? "" : `$${costUsd.toFixed(2)}`;

function resultOf({ reason, worker }: Session): string {
  if (reason) return oneLine(reason.message);
  return worker?.result === undefined ? (worker?.lastLine ?? "") : oneLine(textOf(worker.result));
}

export interface AcceptOptions extends ServerOptions {
  readonly discardOthers?: boolean;
}

/** Accepts a worker's work, and with --discard-others deletes the other tries at its task. */
export async function accept(
  cli: Cli,
  { name, options }: { readonly name: string; readonly options: AcceptOptions },
): Promise<ExitCode> {
  const client = await connect(cli, options);
  const worker = await findWorker(client, name);
  const batch = worker.worker?.batch;
  if (options.discardOthers && batch === undefined) return noBatch(worker);
  const { review } = await client.post<Reviewed>(sessionPath(worker.id, "review"), { do: "accept" });
  if (!options.json)
    say(cli, `Accepted the work of ${worker.name}. \`drover merge ${worker.name}\` merges it.`);
  const others = options.discardOthers && batch !== undefined ? await workersIn(client, batch) : [];
  const discarded = await discardAll(cli, client, {
    // Another project may use the same name for a batch of its own.
    workers: others.filter(({ id, projectId }) => id !== worker.id && projectId === worker.projectId),
    isQuiet: options.json === true,
  });
  if (options.json)
    printJson(cli, { name: worker.name, review, ...(options.discardOthers ? { discarded } : {}) });
  return exit.done;
}

/** Deletes workers and their worktrees. */
export async function discard(
  cli: Cli,
  { names, options }: { readonly names: readonly string[]; readonly options: ServerOptions },
): Promise<ExitCode> {
  const client = await connect(cli, options);
  const workers: Session[] = [];
  // All of them are known before the first one is gone.
  for (const name of names) workers.push(await findWorker(client, name));
  const discarded = await discardAll(cli, client, { workers, isQuiet: options.json === true });
  if (options.json) printJson(cli, { discarded });
  return exit.done;
}

type Discarded = DeletedSession & Pick<Session, "id" | "name">;

async function discardAll(
  cli: Cli,
  client: Client,
  { workers, isQuiet }: { readonly workers: readonly Session[]; readonly isQuiet: boolean },
): Promise<Discarded[]> {
  const discarded: Discarded[] = [];
  for (const { id, name, workspace } of workers) {
    const answer = await client.delete<DeletedSession>(`${sessionPath(id)}?force=1`);
    discarded.push({ id, name, ...answer });
    if (isQuiet) continue;
    const where = whereItIs(answer, workspace.path);
    say(cli, `Discarded ${name}.${where} Its log stays readable: drover logs ${id}`);
  }
  return discarded;
}

const connect = (cli: Cli, { server }: ServerOptions): Promise<Client> =>
  Client.connect(cli, { server, onAway: awayReporter(cli) });
