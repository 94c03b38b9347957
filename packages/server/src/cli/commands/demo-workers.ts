import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Project, type Session, shellWord } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type Assignment, playPerson } from "../demo/person.ts";
import { addedFiles, demoTasks } from "../demo/tasks.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { awayReporter } from "../view/away.ts";
import { refuseForeign } from "./demo.ts";

/** What runs on the result of each merge. */
const checks = [["node", "--test"]];

/** Long enough for a busy machine; on another one, it takes seconds. */
const limitMs = 600_000;

interface Play {
  readonly cli: Cli;
  readonly client: Client;
  readonly top: string;
  readonly tell: (words: string) => void;
}

interface Merge {
  readonly name: string;
  readonly commit: string | undefined;
  readonly at: string;
}

/** Gives six tasks to demo agents in a scratch repository, and plays the person until all of them are merged. */
export async function demoWorkers(
  cli: Cli,
  { directory, options }: { directory: string | undefined; options: ServerOptions },
): Promise<ExitCode> {
  const top =
    directory === undefined ? join(homedir(), "drover-demo-workers") : resolve(cli.settings.cwd, directory);
  await refuseForeign(top, "drover demo workers DIRECTORY");
  const client = await Client.connect(cli, { onAway: awayReporter(cli) });
  await cli.parts.makeDemoProject(top, { anew: addedFiles }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : error;
    const next = "Choose another directory: drover demo workers DIRECTORY";
    throw new CliError(exit.failed, `There can be no demo in ${top}: ${why}.`, next);
  });
  const tell = (words: string) => say(cli, words);
  const play: Play = { cli, client, top, tell };
  await prepare(play);
  const workers = await spawnAll(play);
  const merges = await mergeAll(play, workers);
  if (options.json) {
    const now = await Promise.all(workers.map(({ id }) => client.get<Session>(sessionPath(id))));
    printJson(cli, { directory: top, workers: now, merges });
  } else explain(play, workers);
  return exit.done;
}

/** The checks are set, and the workers of an earlier demo are gone. */
async function prepare({ client, top }: Play): Promise<void> {
  const { id } = await client.post<Project>("/api/projects", { path: top });
  await client.patch<Project>(`/api/projects/${encodeURIComponent(id)}`, { checks });
  const path = withQuery("/api/sessions", { kind: "worker", cwd: top, limit: 1000 });
  const { sessions } = await client.get<{ sessions: readonly Session[] }>(path);
  for (const worker of sessions) await client.delete(`${sessionPath(worker.id)}?force=1`);
}

async function spawnAll({ client, top, tell }: Play): Promise<Session[]> {
  tell(`A small project is in ${top}. Six demo agents get a task each, and a worktree each:`);
  const workers: Session[] = [];
  for (const { title, prompt } of demoTasks) {
    const wanted = { agent: "demo", cwd: top, title, prompt, permissionMode: "acceptEdits" };
    const worker = await client.post<Session>("/api/workers", wanted);
    workers.push(worker);
    tell(`  ${worker.name.padEnd(20)} ${title}`);
  }
  tell("This command plays your part: it answers, reviews and merges. Watch it on the page: drover");
  tell("");
  return workers;
}

/** Returns the merges in the order in which they happened. */
async function mergeAll({ cli, client, tell }: Play, workers: readonly Session[]): Promise<Merge[]> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(limitMs)]);
  const merges: Merge[] = [];
  const merged = new Map(demoTasks.map(({ title }) => [title, Promise.withResolvers<void>()]));
  const finish = async (assignment: Assignment): Promise<void> => {
    const { name, title } = assignment.worker;
    const { mergedAs: commit, into, at } = await playPerson({ cli, client, tell, signal }, assignment);
    merges.push({ name, commit, at });
    tell(`Merged ${name} into ${into}: ${title} (${merges.length} of ${workers.length}).`);
    merged.get(title)?.resolve();
  };
  try {
    await Promise.all(
      workers.map((worker, at) => {
        const task = demoTasks[at];
        const isFree = Promise.resolve(merged.get(task?.after ?? "")?.promise);
        return task && finish({ worker, task, isFree });
      }),
    );
  } finally {
    stopping.abort();
  }
  return merges.sort((a, b) => a.at.localeCompare(b.at));
}

function explain({ top, tell }: Play, [first, asked]: readonly Session[]): void {
  const next = [
    [`git -C ${shellWord(top)} log --first-parent --oneline`, "see the six merges"],
    ["drover", "open the page and look at them on the Board"],
    ["drover worker ls", "list them"],
    [`drover show ${asked?.name}`, "read what the one that asked has done"],
    [`drover worker discard ${first?.name}`, "delete a worker and its worktree"],
  ] as const;
  tell("");
  tell("All six are merged. Try next:");
  const width = Math.max(...next.map(([command]) => command.length));
  for (const [command, words] of next) tell(`  ${command.padEnd(width)}  ${words}`);
}
