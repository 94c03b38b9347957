import { mkdir, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { CreateSession, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { poll } from "../server/poll.ts";

interface Part extends Pick<CreateSession, "title" | "permissionMode"> {
  readonly prompt: string;
  /** What there is to see afterwards. */
  readonly leaves: string;
}

const parts: readonly Part[] = [
  {
    title: "Keep accented letters",
    permissionMode: "never",
    leaves: "has committed a fix",
    prompt: `think Accents are dropped: normalize the title first, then remove the marks.
read src/slug.js
edit src/slug.js s#.toLowerCase()#.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase()#
commit Keep accented letters
say \`slug\` now turns "Café" into "cafe". I committed the change to my branch.`,
  },
  {
    title: "Document the project",
    permissionMode: "acceptEdits",
    leaves: "has changed files",
    prompt: `todo Describe the tests, Add a list of changes
edit README.md s/# slug/# slug: titles as addresses/
write CHANGES.md # Changes
say I improved the README and started a list of changes. Nothing is committed yet.`,
  },
  {
    title: "Run the tests",
    permissionMode: "ask",
    leaves: "asks for your approval",
    prompt: `say I would like to run the tests.
run node --test
say That was the whole suite.`,
  },
];

/** Long enough for a busy machine. If it isn't, the sessions go on without being watched. */
const WATCHED_MS = 20_000;

/** Makes a scratch repository and starts three demo agents in it, each in a worktree. */
export async function demo(
  cli: Cli,
  { directory, options }: { directory: string | undefined; options: ServerOptions },
): Promise<ExitCode> {
  const top = directory === undefined ? join(homedir(), "drover-demo") : resolve(cli.settings.cwd, directory);
  await refuseForeign(top, "drover demo DIRECTORY");
  const client = await Client.connect(cli);
  await cli.parts.makeDemoProject(top).catch((error: unknown) => {
    const message = `The repository ${top} could not be created: ${error instanceof Error ? error.message : error}`;
    throw new CliError(exit.failed, message, "Choose another directory: drover demo DIRECTORY");
  });
  const sessions: Session[] = [];
  for (const { prompt: content, title, permissionMode } of parts) {
    const wanted = { agent: "demo", cwd: top, workspace: "worktree", title, permissionMode };
    const session = await client.post<Session>("/api/sessions", wanted);
    await client.post(sessionPath(session.id, "messages"), { content });
    sessions.push(session);
  }
  await poll(async () => ((await areSettled(client, sessions)) ? true : undefined), WATCHED_MS);
  if (options.json) printJson(cli, { directory: top, sessions });
  else explain(cli, top, sessions);
  return exit.done;
}

/** A directory with something else in it is not ours to fill. */
export async function refuseForeign(top: string, command: string): Promise<void> {
  const next = `Choose another directory: ${command}`;
  const names = await mkdir(top, { recursive: true })
    .then(() => readdir(top))
    .catch((error: NodeJS.ErrnoException) => {
      throw new CliError(exit.usage, `${top} can't be used as a directory (${error.code}).`, next);
    });
  if (names.length === 0 || names.includes(".git")) return;
  throw new CliError(exit.usage, `${top} is not empty.`, next);
}

async function areSettled(client: Client, sessions: readonly Session[]): Promise<boolean> {
  const now = await Promise.all(sessions.map(({ id }) => client.get<Session>(sessionPath(id))));
  return now.every(({ state, lastTurn }) => state === "waiting_for_input" || lastTurn !== undefined);
}

function explain(cli: Cli, top: string, sessions: readonly Session[]): void {
  say(cli, `Three agents work in ${top}, each in its own worktree:`);
  for (const [index, { name, title }] of sessions.entries())
    say(cli, `  ${name.padEnd(20)} ${title}: it ${parts[index]?.leaves}`);
  const [committed, changed] = sessions.map(({ name }) => name);
  const next = [
    ["drover", "open the page"],
    ["drover permit", "see what needs your approval"],
    [`drover diff ${changed}`, "see what an agent changed"],
    [`drover undo ${changed}`, "undo its last turn"],
    [`drover fork ${committed} --worktree`, "continue from there in another worktree"],
    ["drover workspaces", "list the worktrees"],
  ] as const;
  say(cli, "Try next:");
  for (const [command, words] of next) say(cli, `  ${command.padEnd(40)} ${words}`);
}
