import { randomUUID } from "node:crypto";
import type { PermissionMode, Session, SpawnWorker, WorkerMode } from "@drover/core";
import type { Cli } from "../cli.ts";
import { directoryOption } from "../directory.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { readPrompt } from "../prompt.ts";
import { Client } from "../server/client.ts";
import { exitOf, settledWorker } from "../session/worker-end.ts";
import { reportResult } from "../session/worker-report.ts";
import { style } from "../terminal/styled.ts";
import { awayReporter } from "../view/away.ts";
import type { WorkerOptions } from "./workers.ts";

export interface SpawnOptions extends WorkerOptions {
  readonly cwd?: string;
  readonly base?: string;
  readonly mode?: WorkerMode;
  readonly name?: string;
  readonly permissionMode?: PermissionMode;
  readonly model?: string;
  readonly count?: number;
  readonly batch?: string;
  readonly wait?: boolean;
}

interface Started {
  readonly client: Client;
  /** At least one. */
  readonly workers: readonly Session[];
  readonly options: SpawnOptions;
}

/** Starts a worker, or several that try the same task. */
export async function spawn(
  cli: Cli,
  { agent, words, options }: { agent: string; words: readonly string[]; options: SpawnOptions },
): Promise<ExitCode> {
  const prompt = await readPrompt(cli, words, `drover worker spawn ${agent} "fix the failing test"`);
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const { base, mode, permissionMode, model } = options;
  const wanted: Omit<SpawnWorker, "mode" | "name" | "batch"> & { mode?: WorkerMode } = {
    ...{ agent, prompt, cwd: directoryOption(cli, options.cwd ?? ".") },
    ...(base === undefined ? {} : { base }),
    ...(mode === undefined ? {} : { mode }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(model === undefined ? {} : { model }),
  };
  const workers: Session[] = [];
  try {
    for (const own of triesOf(options))
      workers.push(await client.post("/api/workers", { ...wanted, ...own }));
  } catch (error) {
    throw explainPartial(error, workers);
  }
  return options.wait
    ? reportAll(cli, { client, workers, options })
    : announce(cli, { client, workers, options });
}

/** What each of the workers has for itself, and what they share as tries at one task. */
function triesOf({ name, batch, count }: SpawnOptions): Pick<SpawnWorker, "name" | "batch">[] {
  const named = name === undefined ? {} : { name };
  if (count === undefined) return [{ ...named, ...(batch === undefined ? {} : { batch }) }];
  const shared = { batch: batch ?? name ?? `tries-${randomUUID().slice(0, 8)}` };
  return Array.from({ length: count }, (_, at) => ({
    ...shared,
    ...(name === undefined ? {} : { name: `${name}-${at + 1}` }),
  }));
}

/** A worker could not be started after others had been. */
function explainPartial(error: unknown, started: readonly Session[]): unknown {
  if (!(error instanceof CliError) || started.length === 0) return error;
  const names = started.map(({ name }) => name);
  const them = names.length === 1 ? "it" : "them";
  const next = `Already started: ${names.join(", ")}. To discard ${them}: drover worker discard ${names.join(" ")}`;
  return new CliError(error.exit, error.message, next);
}

function announce(cli: Cli, { workers, options }: Started): ExitCode {
  const [worker] = workers;
  if (options.json) printJson(cli, options.count === undefined ? worker : ofBatch(workers));
  else cli.stdout.lines(workers.map(({ name }) => name));
  if (options.json || !worker) return exit.done;
  if (options.count === undefined) {
    say(cli, `It works on ${worker.workspace.branch}. \`drover worker result ${worker.name}\` waits for it.`);
  } else {
    const { batch } = ofBatch(workers);
    say(
      cli,
      `They try it as the batch ${batch}. \`drover worker compare ${batch}\` puts their work side by side.`,
    );
  }
  return exit.done;
}

const ofBatch = (workers: readonly Session[]) => ({ batch: workers[0]?.worker?.batch, workers });

/** From good to bad: a command reports the worst of its workers. */
const codes: readonly ExitCode[] = [exit.done, exit.needsPerson, exit.failed, exit.timeout];

/** Waits for all of them, and prints each result as it comes in. */
async function reportAll(cli: Cli, { client, workers, options }: Started): Promise<ExitCode> {
  const { timeout, json, count } = options;
  for (const { name, workspace } of workers)
    say(cli, `${name} works on ${workspace.branch ?? "its branch"}.`);
  // One after the other, so that no two reports mix.
  let reported = Promise.resolve();
  const settling = workers.map(async (before) => {
    const worker = await settledWorker(cli, { client, worker: before, timeout });
    reported = reported.then(async () => {
      if (!worker) say(cli, `${before.name} is still working.`);
      if (!worker || json) return;
      if (count !== undefined) cli.stdout.line(style.bold(`${worker.name}:`));
      await reportResult(cli, client, worker);
    });
    return { worker: worker ?? before, code: worker ? exitOf(worker) : exit.timeout };
  });
  const settled = await Promise.all(settling);
  await reported;
  const found = settled.map(({ worker }) => worker);
  if (json) printJson(cli, count === undefined ? found[0] : ofBatch(found));
  return codes.findLast((code) => settled.some((each) => each.code === code)) ?? exit.failed;
}
