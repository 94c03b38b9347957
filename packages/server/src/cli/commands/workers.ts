import {
  type Interaction,
  isSignalQuestion,
  type PermissionMode,
  type Session,
  type SpawnWorker,
} from "@drover/core";
import type { Cli } from "../cli.ts";
import { directoryOption } from "../directory.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { readPrompt } from "../prompt.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { exitOf, settledWorker } from "../session/worker-end.ts";
import { style } from "../terminal/styled.ts";
import { askedRows } from "../view/asked.ts";
import { awayReporter } from "../view/away.ts";
import { paintState, stateWords } from "../view/state.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { age, count } from "../view/words.ts";
import { resume as resumeSession } from "./control.ts";
import { readAnswers } from "./permit.ts";
import { send } from "./send.ts";

export interface WorkerOptions extends ServerOptions {
  readonly timeout?: number;
}

export interface SpawnOptions extends WorkerOptions {
  readonly cwd?: string;
  readonly base?: string;
  readonly name?: string;
  readonly permissionMode?: PermissionMode;
  readonly model?: string;
  readonly wait?: boolean;
}

export type ResumeOptions = ServerOptions;

interface WorkerRequest<O = ServerOptions> {
  readonly name: string;
  readonly options: O;
}

export async function spawn(
  cli: Cli,
  { agent, words, options }: { agent: string; words: readonly string[]; options: SpawnOptions },
): Promise<ExitCode> {
  const prompt = await readPrompt(cli, words, `drover worker spawn ${agent} "fix the failing test"`);
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const { base, name, permissionMode, model } = options;
  const wanted: Omit<SpawnWorker, "mode"> = {
    ...{ agent, prompt, cwd: directoryOption(cli, options.cwd ?? ".") },
    ...(base === undefined ? {} : { base }),
    ...(name === undefined ? {} : { name }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(model === undefined ? {} : { model }),
  };
  const worker = await client.post<Session>("/api/workers", wanted);
  if (options.wait) {
    say(cli, `${worker.name} works on ${worker.workspace.branch ?? "its branch"}.`);
    return printResult(cli, { client, worker, options });
  }
  if (options.json) printJson(cli, worker);
  else {
    cli.stdout.line(worker.name);
    say(cli, `It works on ${worker.workspace.branch}. \`drover worker result ${worker.name}\` waits for it.`);
  }
  return exit.done;
}

export async function list(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const path = withQuery("/api/sessions", { kind: "worker", limit: 200 });
  const page = await client.get<{ sessions: readonly Session[] }>(path);
  if (options.json) {
    printJson(cli, page);
    return exit.done;
  }
  if (page.sessions.length === 0) {
    say(cli, 'No workers yet. Start one: drover worker spawn AGENT "fix the failing test"');
    return exit.done;
  }
  printTable(cli.stdout, {
    headings: ["NAME", "AGENT", "STATE", "AGE", "CHANGES", "TASK"],
    rows: page.sessions.map((worker) => [
      ...[worker.name, worker.agent, workerState(worker), age(worker.updatedAt)],
      ...[changesOf(worker), oneLine(worker.title)],
    ]),
    paint: (cell, column) => (column === 2 ? paintState(cell) : cell),
  });
  return exit.done;
}

/** Its review says more than that it is idle. */
function workerState(worker: Session): string {
  const { state, review } = worker;
  const isReviewed = state === "idle" && review !== undefined && review.state !== "none";
  return isReviewed
    ? review.state === "open"
      ? "to review"
      : review.state.replace("_", " ")
    : stateWords(worker);
}

function changesOf({ worker }: Session): string {
  const { files, added, removed } = worker?.changes ?? { files: 0, added: 0, removed: 0 };
  return files === 0 ? "" : `${count(files, "file")} +${added} −${removed}`;
}

export async function show(cli: Cli, { name, options }: WorkerRequest): Promise<ExitCode> {
  const { client, worker } = await findWorker(cli, { name, options });
  if (options.json) {
    printJson(cli, worker);
    return exit.done;
  }
  const { signal, result, summary } = worker.worker ?? {};
  const facts: [string, string | undefined][] = [
    ["name", worker.name],
    ["task", oneLine(worker.title)],
    ["agent", worker.agent],
    ["state", workerState(worker)],
    ["reason", worker.reason && oneLine(worker.reason.message)],
    ["branch", worker.workspace.branch],
    ["worktree", worker.workspace.path],
    ["changes", changesOf(worker) || undefined],
    ["run", String(worker.run)],
    ["signal", signal && `${signal.status}${signal.error === undefined ? "" : `: ${oneLine(signal.error)}`}`],
    ["result", result === undefined ? undefined : oneLine(textOf(result))],
  ];
  for (const [label, value] of facts) {
    if (value !== undefined) cli.stdout.line([style.dim(label.padEnd(8)), `  ${value}`]);
  }
  if (summary !== undefined) cli.stdout.lines(["", ...summary.split("\n")]);
  await printQuestions(cli, client, worker);
  return exit.done;
}

export async function result(cli: Cli, { name, options }: WorkerRequest<WorkerOptions>): Promise<ExitCode> {
  return printResult(cli, { ...(await findWorker(cli, { name, options })), options });
}

export async function answer(
  cli: Cli,
  { name, pairs, options }: WorkerRequest & { readonly pairs: readonly string[] },
): Promise<ExitCode> {
  const { client, worker } = await findWorker(cli, { name, options });
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

export function resume(
  cli: Cli,
  { name, words, options }: WorkerRequest<ResumeOptions> & { readonly words: readonly string[] },
): Promise<ExitCode> {
  if (words.length === 0) return resumeSession(cli, { session: name, options });
  return send(cli, { session: name, words, options });
}

interface Found {
  readonly client: Client;
  readonly worker: Session;
}

async function findWorker(cli: Cli, { name, options }: WorkerRequest): Promise<Found> {
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const worker = await client.get<Session>(sessionPath(await resolveSession(client, name)));
  if (worker.kind === "worker") return { client, worker };
  const next = "`drover worker ls` lists the workers.";
  throw new CliError(exit.notFound, `${worker.name} is a session, not a worker.`, next);
}

/** Waits until a worker has nothing more to do; its exit code says what it needs. */
async function printResult(
  cli: Cli,
  { client, worker: before, options }: Found & { readonly options: WorkerOptions },
): Promise<ExitCode> {
  const worker = await settledWorker(cli, { client, worker: before, timeout: options.timeout });
  if (!worker) {
    say(cli, `${before.name} is still working.`);
    return exit.timeout;
  }
  const code = exitOf(worker);
  if (options.json) printJson(cli, worker);
  else if (code === exit.needsPerson) await printQuestions(cli, client, worker);
  else if (code === exit.failed)
    say(cli, worker.reason?.message ?? worker.lastTurn?.message ?? "It was stopped.");
  else if (worker.worker?.result !== undefined) cli.stdout.lines(textOf(worker.worker.result).split("\n"));
  return code;
}

async function openQuestions(client: Client, { id }: Session): Promise<readonly Interaction[]> {
  const path = withQuery("/api/interactions", { state: "open", sessionId: id });
  return (await client.get<{ interactions: readonly Interaction[] }>(path)).interactions;
}

async function printQuestions(cli: Cli, client: Client, worker: Session): Promise<void> {
  for (const interaction of await openQuestions(client, worker)) {
    cli.stdout.lines(["", style.yellow("asks:"), ...askedRows(interaction, cli.stdout.room)]);
    const command = isSignalQuestion(interaction) ? `drover worker answer ${worker.name} …` : "drover permit";
    cli.stdout.line(`  Answer with: ${command}`);
  }
}

const textOf = (result: unknown): string =>
  typeof result === "string" ? result : JSON.stringify(result, null, 2);
