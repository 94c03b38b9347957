import { isSignalQuestion, type Session, type SessionList } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { findWorker } from "../session/find-worker.ts";
import { exitOf, settledWorker } from "../session/worker-end.ts";
import { openQuestions, printQuestions, reportResult } from "../session/worker-report.ts";
import { style } from "../terminal/styled.ts";
import { awayReporter } from "../view/away.ts";
import { listedState } from "../view/review.ts";
import { paintState } from "../view/state.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { age } from "../view/words.ts";
import { changesOf, proposalsOf, textOf } from "../view/worker.ts";
import { resume as resumeSession } from "./control.ts";
import { readAnswers } from "./permit.ts";
import { send } from "./send.ts";

export interface WorkerOptions extends ServerOptions {
  readonly timeout?: number;
}

interface WorkerRequest<O = ServerOptions> {
  readonly name: string;
  readonly options: O;
}

export async function list(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const path = withQuery("/api/sessions", { kind: "worker", limit: 200 });
  const page = await client.get<SessionList>(path);
  if (options.json) {
    printJson(cli, page);
    return exit.done;
  }
  if (page.sessions.length === 0) {
    say(cli, 'No workers yet. Start one: drover worker spawn AGENT "fix the failing test"');
    return exit.done;
  }
  const hasBatches = page.sessions.some(({ worker }) => worker?.batch !== undefined);
  const batch = hasBatches ? ["BATCH"] : [];
  printTable(cli.stdout, {
    headings: ["NAME", "AGENT", "STATE", "AGE", "CHANGES", ...batch, "TASK"],
    rows: besideTheirBatch(page.sessions).map((worker) => [
      ...[worker.name, worker.agent, listedState(worker), age(worker.updatedAt), changesOf(worker)],
      ...[...batch.map(() => worker.worker?.batch ?? ""), oneLine(worker.title)],
    ]),
    paint: (cell, column) => (column === 2 ? paintState(cell) : cell),
  });
  if (page.before) say(cli, `These are the ${page.sessions.length} workers with the latest activity.`);
  return exit.done;
}

/** In the same order, but tries at one task follow each other. */
function besideTheirBatch(workers: readonly Session[]): Session[] {
  const groups = Map.groupBy(workers, ({ id, worker }) => worker?.batch ?? id);
  return [...groups.values()].flat();
}

export async function show(cli: Cli, { name, options }: WorkerRequest): Promise<ExitCode> {
  const client = await connect(cli, options);
  const worker = await findWorker(client, name);
  if (options.json) {
    printJson(cli, worker);
    return exit.done;
  }
  const { mode, signal, result, summary } = worker.worker ?? {};
  const facts: [string, string | undefined][] = [
    ["name", worker.name],
    ["task", oneLine(worker.title)],
    ["mode", mode],
    ["batch", worker.worker?.batch],
    ["agent", worker.agent],
    ["state", listedState(worker)],
    ["reason", worker.reason && oneLine(worker.reason.message)],
    ["branch", worker.workspace.branch],
    ["worktree", worker.workspace.path],
    ["changes", changesOf(worker) || undefined],
    ["run", String(worker.run)],
    ["signal", signal && `${signal.status}${signal.error === undefined ? "" : `: ${oneLine(signal.error)}`}`],
    ["result", result === undefined ? undefined : oneLine(textOf(result))],
    ["proposals", proposalsOf(worker)],
  ];
  for (const [label, value] of facts) {
    if (value !== undefined) cli.stdout.line([style.dim(label.padEnd(9)), `  ${value}`]);
  }
  if (summary !== undefined) cli.stdout.lines(["", ...summary.split("\n")]);
  await printQuestions(cli, client, worker);
  return exit.done;
}

export async function answer(
  cli: Cli,
  { name, pairs, options }: WorkerRequest & { readonly pairs: readonly string[] },
): Promise<ExitCode> {
  const client = await connect(cli, options);
  const worker = await findWorker(client, name);
  const asked = (await openQuestions(client, worker)).find(isSignalQuestion);
  if (!asked) {
    const next = `\`drover worker show ${worker.name}\` shows what it is doing.`;
    throw new CliError(exit.conflict, `${worker.name} has no open questions.`, next);
  }
  const answers = readAnswers(pairs, asked);
  const resumed = await client.post<Session>(sessionPath(worker.id, "resume"), { answers });
  if (options.json) printJson(cli, resumed);
  else say(cli, `${resumed.name} continues with the answers.`);
  return exit.done;
}

export async function resume(
  cli: Cli,
  { name, words, options }: WorkerRequest & { readonly words: readonly string[] },
): Promise<ExitCode> {
  const { id: session } = await findWorker(await connect(cli, options), name);
  if (words.length === 0) return resumeSession(cli, { session, options });
  return send(cli, { session, words, options });
}

export async function stop(cli: Cli, { name, options }: WorkerRequest): Promise<ExitCode> {
  const client = await connect(cli, options);
  const { id } = await findWorker(client, name);
  const stopped = await client.post<Session>(sessionPath(id, "stop"));
  if (options.json) printJson(cli, stopped);
  else say(cli, `${stopped.name}: stopped. \`drover worker resume ${stopped.name}\` continues it.`);
  return exit.done;
}

/** Waits until a worker has nothing more to do; its exit code says what it needs. */
export async function result(cli: Cli, { name, options }: WorkerRequest<WorkerOptions>): Promise<ExitCode> {
  const client = await connect(cli, options);
  const { timeout, json } = options;
  const before = await findWorker(client, name);
  const worker = await settledWorker(cli, { client, worker: before, timeout });
  if (!worker) {
    say(cli, `${before.name} is still working.`);
    return exit.timeout;
  }
  if (!json) return reportResult(cli, client, worker);
  printJson(cli, worker);
  return exitOf(worker);
}

const connect = (cli: Cli, { server }: ServerOptions): Promise<Client> =>
  Client.connect(cli, { server, onAway: awayReporter(cli) });
