import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  buildResumeCommand,
  buildSpawnCommand,
  buildTurnPrompt,
  Fault,
  type Lack,
  offeredModes,
  type Preset,
  type Rejection,
  type Result,
  type SpawnCommand,
  type TurnCommand,
  withFiles,
} from "@drover/core";
import type { AgentConnection, Driver, DriverHost, OpenRequest, Prompt } from "../ports.ts";
import { attachAgentProcess, startAgentProcess } from "../process/agent-process.ts";
import { record, text } from "./json.ts";
import type { OutputReader } from "./output.ts";
import { withStderr } from "./process-connection.ts";
import { PromptConnection } from "./prompt-connection.ts";
import { spawnFault } from "./spawn-fault.ts";

export interface PromptOpening {
  readonly request: OpenRequest;
  readonly host: DriverHost;
  readonly reader: OutputReader;
  readonly now: () => number;
  readonly onUnknown?: ((counts: Readonly<Record<string, number>>) => void) | undefined;
}

/** In the run's own directory, beside the agent's output. */
const PROMPT_FILE = "prompt";

/** Starts the process of one prompt, or takes over the one an earlier server started. */
export function openForPrompt(opening: PromptOpening): Promise<AgentConnection> {
  const { attach } = opening.request;
  return attach ? find(opening, attach) : start(opening);
}

async function start(opening: PromptOpening): Promise<AgentConnection> {
  const { request, host } = opening;
  const { preset, cwd, env, directory, prompt } = request;
  if (prompt === undefined) throw new Error(`${preset.agent} needs a prompt to start`);
  const promptFile = join(directory, PROMPT_FILE);
  const { command, args, env: own, stdin } = await prepare(request, { ...prompt, promptFile });
  const file = stdin === "prompt" ? promptFile : "/dev/null";
  const program = { command, args, cwd, env: { ...env, ...own }, directory };
  const process = await startAgentProcess({ ...program, input: { file } }).catch((error: unknown) => {
    throw spawnFault(error, { name: preset.name, command, cwd });
  });
  const connection = connect(opening, { process, turnId: prompt.turnId, position: 0, host });
  try {
    const registered = connection.register();
    connection.listen();
    await registered;
    return connection;
  } catch (error) {
    throw withStderr(error, await connection.abandon());
  }
}

async function find(
  opening: PromptOpening,
  { process: stored }: NonNullable<OpenRequest["attach"]>,
): Promise<AgentConnection> {
  const { directory } = opening.request;
  const { pid, startTime, bootId, position } = stored;
  const turnId = text(record(stored.memo)["turnId"]);
  if (turnId === undefined) throw new Error("This process was stored without its turn");
  const process = await attachAgentProcess({
    identity: { pid, startTime, bootId },
    directory,
    offset: position,
    input: { file: join(directory, PROMPT_FILE) },
  });
  const connection = connect(opening, { process, turnId, position, host: opening.host });
  connection.listenAgain();
  return connection;
}

function connect(
  { request, reader, now, onUnknown }: PromptOpening,
  running: Pick<
    ConstructorParameters<typeof PromptConnection>[0],
    "process" | "turnId" | "position" | "host"
  >,
): PromptConnection {
  const { sessionId, stopGraceMs, preset } = request;
  return new PromptConnection({
    ...running,
    ...{ sessionId, stopGraceMs, name: preset.name, reader, now, onUnknown },
  });
}

interface Given extends Prompt {
  readonly promptFile: string;
}

/** Writes the prompt to its file and returns the command that uses it. */
async function prepare(
  request: OpenRequest,
  { content, context, files, promptFile }: Given,
): Promise<SpawnCommand> {
  const { preset } = request;
  const { prompt, systemFlag } = accepted(
    buildTurnPrompt({
      runtime: request.context ?? "",
      system: request.system,
      instructionFile: request.instructions,
      context,
      message: withFiles(content, files),
      style: preset.systemFlag === undefined ? "sections" : "flag",
    }),
  );
  const command = commandOf(request, { prompt, promptFile, systemFlag });
  await mkdir(request.directory, { recursive: true, mode: 0o700 });
  await writeFile(promptFile, prompt, { mode: 0o600 });
  return command;
}

/** The command that starts the program for this prompt, resuming the conversation if possible. */
export function commandOf(
  { preset, permissionMode, isGated, model, agentSessionId: sessionId }: OpenRequest,
  prompt: Pick<TurnCommand, "prompt" | "promptFile" | "systemFlag">,
): SpawnCommand {
  const turn = { permissionMode, isGated, model, ...prompt };
  return accepted(
    canResume(preset) && sessionId !== undefined
      ? buildResumeCommand(preset, { ...turn, sessionId })
      : buildSpawnCommand(preset, turn),
  );
}

/** Rejects, before anything is stored, a message the agent could not take together with the session's system text. */
export function refusePrompt(
  preset: Preset,
  input: Parameters<NonNullable<Driver["refusesPrompt"]>>[1],
): Rejection | undefined {
  const style = preset.systemFlag === undefined ? "sections" : "flag";
  const { content, system, instructions } = input;
  const built = buildTurnPrompt({
    ...{ runtime: "", system, instructionFile: instructions },
    ...{ message: content, style },
  });
  if (!built.ok) return built.error;
  const turn = { permissionMode: offeredModes(preset)[0] ?? "ask", ...built.value, promptFile: "" };
  const command = buildSpawnCommand(preset, turn);
  return command.ok ? undefined : command.error;
}

/** What a program without a protocol cannot take. */
export const promptLacks = ({ modelFlag, trust, account }: Preset): readonly Lack[] => [
  ...(modelFlag === undefined ? (["model"] as const) : []),
  ...(trust === undefined ? (["distrust"] as const) : []),
  ...(account === undefined ? (["accounts"] as const) : []),
  "mcpServers",
  "conversations",
];

export const canResume = ({ resume, sessionId }: Preset): boolean =>
  resume !== undefined && sessionId !== undefined;

/** Refusals that only the complete prompt reveals; no process has been started. */
export function accepted<T>(result: Result<T, Rejection>): T {
  if (result.ok) return result.value;
  const { message, code, facts } = result.error;
  throw new Fault("AGENT_UNREACHABLE", message, { facts: { ...facts, refused: code } });
}
