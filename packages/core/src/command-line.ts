import { type LineRule, type PermissionMode, type Preset, permissionModes } from "./agent.ts";
import { type Rejection, reject } from "./error.ts";
import type { JsonPath } from "./json-path.ts";
import { maxArgumentBytes } from "./prompt/index.ts";
import { ok, type Result } from "./result.ts";
import { utf8Length } from "./text.ts";

/** One turn of a program that is started for it. */
export interface TurnCommand {
  readonly permissionMode: PermissionMode;
  /** What it changes is approved afterwards. */
  readonly isGated?: boolean | undefined;
  readonly model?: string | undefined;
  /** The system text, if the prompt builder left it to the agent's flag. */
  readonly systemFlag?: string | undefined;
  readonly prompt: string;
  /** The file that contains the prompt. */
  readonly promptFile: string;
}

export interface SpawnCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input; `nothing` is an immediate end of input. */
  readonly stdin: "prompt" | "nothing";
}

/**
 * The command for a turn that starts a conversation. Rejects a mode that is not offered, and a prompt too long for an
 * argument.
 */
export function buildSpawnCommand(preset: Preset, turn: TurnCommand): Result<SpawnCommand, Rejection> {
  return build(preset, turn, []);
}

/** The command for a turn that resumes a conversation; the preset must have `resume`. */
export function buildResumeCommand(
  preset: Preset,
  turn: TurnCommand & { readonly sessionId: string },
): Result<SpawnCommand, Rejection> {
  if (!preset.resume) {
    return reject("UNSUPPORTED", `${preset.name} cannot resume a conversation`, { what: "resume" });
  }
  const resume = preset.resume.map((argument) => argument.replaceAll("{sessionId}", () => turn.sessionId));
  return build(preset, turn, resume);
}

/** Whether sessions of this agent may have that mode. */
export const offersMode = (preset: Preset, mode: PermissionMode): boolean =>
  offeredModes(preset).includes(mode);

/** The modes that sessions of this agent may have. */
export const offeredModes = ({ modeArgs, modeEnv }: Preset): readonly PermissionMode[] =>
  modeArgs || modeEnv
    ? permissionModes.filter((mode) => modeArgs?.[mode] ?? modeEnv?.[mode])
    : permissionModes;

/** Whether any mode changes how the program is started: only then does a mode mean anything to it. */
export const isHeldByMode = ({ modeArgs, modeEnv }: Preset): boolean =>
  permissionModes.some((mode) => modeArgs?.[mode]?.length || Object.keys(modeEnv?.[mode] ?? {}).length);

function build(
  preset: Preset,
  turn: TurnCommand,
  resume: readonly string[],
): Result<SpawnCommand, Rejection> {
  const { permissionMode, model, systemFlag } = turn;
  if (!offersMode(preset, permissionMode)) {
    const offered = offeredModes(preset).join(", ");
    const message = `${preset.name} has no mode "${permissionMode}"; choose one of: ${offered}`;
    return reject("UNSUPPORTED", message, { what: `permissionMode ${permissionMode}` });
  }
  if (model?.startsWith("-")) {
    const message = `"${model}" would be read as an option, not as a model`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "model", message }] });
  }
  const prompt = promptArguments(preset, turn);
  if (!prompt.ok) return prompt;
  const args = [
    ...preset.args,
    ...(preset.nonInteractive ?? []),
    ...modeArguments(preset, turn),
    ...(model && preset.modelFlag ? [preset.modelFlag, model] : []),
    ...(systemFlag && preset.systemFlag ? [preset.systemFlag, systemFlag] : []),
    ...resume,
    ...prompt.value,
  ];
  const stdin = (preset.prompt ?? "stdin") === "stdin" ? "prompt" : "nothing";
  return ok({ command: preset.command, args, env: preset.modeEnv?.[permissionMode] ?? {}, stdin });
}

const modeArguments = (
  { modeArgs, sandboxArgs }: Preset,
  { permissionMode, isGated }: TurnCommand,
): readonly string[] =>
  (isGated && permissionMode === "ask" ? sandboxArgs : undefined) ?? modeArgs?.[permissionMode] ?? [];

/**
 * Whether what its turns change can be approved. The process must start with its prompt: only then is it certain that
 * the sandbox is there for this turn.
 */
export const canBeGated = ({ sandboxArgs, stateful }: Preset): boolean =>
  sandboxArgs !== undefined && !stateful;

function promptArguments(
  { name, prompt = "stdin", lastArgs = [] }: Preset,
  turn: TurnCommand,
): Result<readonly string[], Rejection> {
  if (prompt === "stdin") return ok(lastArgs);
  if (prompt === "file") {
    const last = lastArgs.length > 0 ? lastArgs : ["{promptFile}"];
    return ok(last.map((argument) => argument.replaceAll("{promptFile}", () => turn.promptFile)));
  }
  const size = utf8Length(turn.prompt);
  if (size <= maxArgumentBytes) return ok([prompt.flag, turn.prompt, ...lastArgs]);
  return reject(
    "PROMPT_TOO_LARGE",
    `${name} takes its prompt as an argument of at most ${maxArgumentBytes} bytes; this one has ${size}. Put the text into a file and mention the file.`,
    { limit: maxArgumentBytes, size },
  );
}

/** The value at a path in a line of JSON; undefined if there is none. */
export function valueAt(line: unknown, path: JsonPath): unknown {
  let value = line;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return value;
}

const hasType = (line: unknown, type: string | number): boolean =>
  type === "*" || valueAt(line, ["type"]) === type;

/** Whether a rule matches this line. */
export function matchesRule(line: unknown, { type, at, is, when = [] }: LineRule): boolean {
  if (!hasType(line, type) || !when.every((one) => valueAt(line, one.at) === one.is)) return false;
  if (at === undefined) return true;
  const value = valueAt(line, at);
  return is === undefined ? value !== undefined : value === is;
}

/** An id is passed back as an argument: one that starts with a dash would be read as an option. */
const safeId = /^[A-Za-z0-9_][\w.:-]{0,199}$/;

/** The agent's own id of the conversation, if this line of its output contains it. */
export function extractSessionId({ sessionId }: Preset, line: unknown): string | undefined {
  const [type, ...path] = sessionId ?? [];
  if (type === undefined || !hasType(line, type)) return undefined;
  const id = valueAt(line, path);
  return typeof id === "string" && safeId.test(id) ? id : undefined;
}
