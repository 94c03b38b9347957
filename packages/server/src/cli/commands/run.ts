import { randomUUID } from "node:crypto";
import type { AgentInfo, ConfigReport, CreateSession, PermissionMode, Receipt, Session } from "@drover/core";
import { homeAt } from "../../home.ts";
import { readAttachments } from "../attachments.ts";
import type { Cli } from "../cli.ts";
import { directoryOption } from "../directory.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { readPrompt } from "../prompt.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { type TurnOptions, watchTurn } from "../session/turn.ts";
import { unaskedMode } from "../view/abilities.ts";
import { awayReporter } from "../view/away.ts";
import { oneLine } from "../view/text.ts";

export interface RunOptions extends TurnOptions {
  readonly cwd?: string;
  readonly worktree?: boolean;
  readonly base?: string;
  readonly reattach?: boolean;
  readonly container?: boolean;
  readonly detach?: boolean;
  readonly name?: string;
  readonly mode?: PermissionMode;
  readonly model?: string;
  readonly attach?: readonly string[];
}

export interface RunRequest {
  readonly agent: string;
  readonly words: readonly string[];
  readonly options: RunOptions;
}

export async function run(cli: Cli, { agent, words, options }: RunRequest): Promise<ExitCode> {
  const content = await readPrompt(cli, words, `drover run ${agent} "fix the failing test"`);
  const attachments = await readAttachments(cli, options.attach);
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const cwd = await directoryFor(cli, client, { agent, content, options });
  const request = newSession({ agent, cwd, options });
  await checkInstalled(client, agent);
  const session = await client.post<Session>("/api/sessions", request);
  say(cli, session.name);
  const unasked = unaskedMode(session);
  if (unasked) say(cli, unasked);
  const receipt = await client.post<Receipt>(sessionPath(session.id, "messages"), {
    content,
    clientMessageId: randomUUID(),
    ...attachments,
  });
  if (options.detach) {
    if (options.json) printJson(cli, receipt);
    else say(cli, `Running in the background. \`drover attach ${session.name}\` shows it.`);
    return exit.done;
  }
  return watchTurn(cli, { client, session, receipt, options });
}

/**
 * Fails before a session is created if the agent has to be installed first. Only for agents that Drover can install:
 * the server cannot tell reliably whether other commands will be found when they start.
 */
async function checkInstalled(client: Client, agent: string): Promise<void> {
  const { agents } = await client.get<{ agents: readonly AgentInfo[] }>("/api/agents");
  const info = agents.find((one) => one.agent === agent);
  if (!info || info.installed || !info.package) return;
  throw new CliError(
    exit.failed,
    `${oneLine(info.name)} is not installed.`,
    `\`drover agents add ${agent}\` installs it.`,
  );
}

interface Asked extends Omit<RunRequest, "words"> {
  readonly content: string;
}

/** Here, or where --cwd says. The tour has its own project: it leaves nothing in the current directory. */
async function directoryFor(cli: Cli, client: Client, { agent, content, options }: Asked): Promise<string> {
  const isTour = agent === "demo" && content.trim() === "tour" && options.cwd === undefined;
  if (!isTour) return directoryOption(cli, options.cwd ?? ".");
  const { home } = await client.get<ConfigReport>("/api/config");
  return homeAt(home).tour;
}

function newSession({ agent, cwd, options }: Omit<RunRequest, "words"> & { cwd: string }): CreateSession {
  if (options.worktree && options.container) {
    throw new CliError(
      exit.usage,
      "A session has only one workspace.",
      "Use either --worktree or --container.",
    );
  }
  const workspace = options.worktree ? "worktree" : options.container ? "container" : undefined;
  return {
    agent,
    cwd,
    ...(workspace ? { workspace } : {}),
    ...(options.base === undefined ? {} : { base: options.base }),
    ...(options.reattach ? { reattach: true } : {}),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.mode === undefined ? {} : { permissionMode: options.mode }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
}
