import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findExecutable, SpawnError } from "./executable.ts";
import { FifoError, FifoWriter, makeFifo } from "./fifo.ts";
import { identifyChild, isAlive, type ProcessIdentity } from "./identity.ts";
import { checkInterpreter } from "./interpreter.ts";
import { keptExit, readStatus, STATUS_FILE, startedPid, underParent } from "./parent.ts";
import { type AgentProcess, type Exit, FILES, type Pressure, RunningAgent } from "./running-agent.ts";
import { resumeTree } from "./tree.ts";

export { SpawnError, type SpawnErrorCode } from "./executable.ts";
export type { AgentProcess, Exit, Pressure } from "./running-agent.ts";

/** A conversation gets a FIFO, which never ends; a single prompt gets a file, which does. */
export type AgentInput = "fifo" | { readonly file: string };

export interface AgentProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment (see `agentEnvironment`): nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** This run's own directory, created if missing. Gets `stdin` (a FIFO), `stdout`, `stderr` and `status`. */
  readonly directory: string;
  readonly input: AgentInput;
  readonly pressure?: Pressure | undefined;
}

export interface AttachSpec {
  /** Identifies the agent's parent, as in `AgentProcess`. */
  readonly identity: ProcessIdentity;
  readonly directory: string;
  /** Where `lines` continues. */
  readonly offset: number;
  readonly input: AgentInput;
  /** The dead server is known not to have left a half-written line: some programs cannot handle an empty one. */
  readonly hasWholeLines?: boolean;
  readonly pressure?: Pressure | undefined;
}

/** How often to check whether a process that is not our child has ended. */
const ALIVE_CHECK_MS = 250;

/**
 * Starts an agent that does not notice our death: in its own session, under its own parent, reading from a FIFO it
 * holds open itself, writing to files. Rejects with `SpawnError`; then nothing runs and no FIFO is left.
 */
export async function startAgentProcess(spec: AgentProcessSpec): Promise<AgentProcess> {
  // In parallel: making a FIFO takes a separate program.
  const [found, prepared] = await Promise.allSettled([findProgram(spec), prepare(spec)]);
  if (prepared.status === "rejected") {
    throw new SpawnError(
      "OTHER",
      `${spec.directory} cannot be prepared: ${prepared.reason}`,
      prepared.reason,
    );
  }
  const fifo = prepared.value;
  if (found.status === "rejected") {
    if (fifo !== undefined) await rm(fifo, { force: true });
    throw found.reason;
  }
  const file = found.value;
  try {
    return await launch(file, { spec, fifo });
  } catch (error) {
    if (fifo !== undefined) await rm(fifo, { force: true });
    throw spawnError(file, error);
  }
}

/**
 * Takes over an agent that another server started, with its output from `offset` on. An agent that has ended in the
 * meantime is taken over the same way: its output comes through `lines`, and `finished` resolves.
 */
export async function attachAgentProcess(spec: AttachSpec): Promise<AgentProcess> {
  const fifo = spec.input === "fifo" ? join(spec.directory, FILES.input) : undefined;
  const writer = fifo !== undefined && isAlive(spec.identity) ? openIfRead(fifo) : undefined;
  // Ends a line that the dead server may have left half-written. Not awaited, since the agent may not be reading;
  // errors are ignored, since every later write fails the same way.
  if (!spec.hasWholeLines) writer?.write("\n").catch(() => undefined);
  // The dead server may have paused it.
  resumeTree(spec.identity);
  const { pid = spec.identity.pid } = readStatus(spec.directory);
  return new RunningAgent({
    ...spec,
    pid,
    fifo,
    writer,
    ...withCode(watchExit(spec.identity), spec.directory),
  });
}

async function findProgram(spec: AgentProcessSpec): Promise<string> {
  const file = await findExecutable(spec);
  await checkInterpreter(file, spec.cwd);
  return file;
}

async function prepare(spec: AgentProcessSpec): Promise<string | undefined> {
  await mkdir(spec.directory, { recursive: true, mode: 0o700 });
  if (spec.input !== "fifo") return undefined;
  const fifo = join(spec.directory, FILES.input);
  await makeFifo(fifo);
  return fifo;
}

async function launch(
  file: string,
  { spec, fifo }: { spec: AgentProcessSpec; fifo: string | undefined },
): Promise<AgentProcess> {
  const { args, cwd, env, directory, input, pressure } = spec;
  // Our copies of the child's descriptors; the child keeps its own.
  using descriptors = new Descriptors();
  // Read-write, and held until the agent itself has opened the FIFO the same way: it never sees an end of input.
  const stdin =
    input === "fifo"
      ? descriptors.open(join(directory, FILES.input), constants.O_RDWR)
      : descriptors.open(input.file, constants.O_RDONLY);
  const output = descriptors.open(join(directory, FILES.output), APPEND);
  const errors = descriptors.open(join(directory, FILES.errors), APPEND);
  const status = descriptors.open(join(directory, STATUS_FILE), APPEND);
  const writer = fifo === undefined ? undefined : FifoWriter.open(fifo);
  const parent = underParent({ file, args, env, fifo });
  const stdio = [fifo === undefined ? stdin : ("ignore" as const), output, errors, status];
  try {
    const child = spawn(parent.file, parent.args, { cwd, env, detached: true, stdio });
    const exit = withCode(awaitExit(child), directory);
    if (child.pid === undefined) throw (await once(child, "error"))[0];
    child.unref();
    const identity = identifyChild(child.pid);
    const isParentGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
    const pid = (await startedPid(directory, isParentGone)) ?? identity.pid;
    return new RunningAgent({ identity, pid, directory, offset: 0, fifo, writer, pressure, ...exit });
  } catch (error) {
    writer?.close();
    throw error;
  }
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

class Descriptors implements Disposable {
  readonly #open: number[] = [];

  open(path: string, flags: number): number {
    const descriptor = openSync(path, flags, 0o600);
    this.#open.push(descriptor);
    return descriptor;
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#open) closeSync(descriptor);
  }
}

interface ExitWatch {
  readonly exited: Promise<Exit>;
  readonly release: () => void;
}

function awaitExit(child: ChildProcess): ExitWatch {
  const { promise, resolve } = Promise.withResolvers<Exit>();
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void => resolve({ code, signal });
  child.once("exit", onExit);
  return { exited: promise, release: () => child.off("exit", onExit) };
}

/** With the exit code that the parent has written. */
const withCode = ({ exited, release }: ExitWatch, directory: string): ExitWatch => ({
  exited: exited.then((exit) => keptExit(directory, exit)),
  release,
});

/** For a process that is not our child: we are not notified when it ends. */
function watchExit(identity: ProcessIdentity): ExitWatch {
  const { promise, resolve } = Promise.withResolvers<Exit>();
  const check = (): void => {
    if (isAlive(identity)) return;
    clearInterval(timer);
    resolve({ code: null, signal: null });
  };
  const timer = setInterval(check, ALIVE_CHECK_MS);
  check();
  return { exited: promise, release: () => clearInterval(timer) };
}

function openIfRead(fifo: string): FifoWriter | undefined {
  try {
    return FifoWriter.open(fifo);
  } catch (error) {
    if (error instanceof FifoError && error.code === "NO_READER") return undefined;
    throw error;
  }
}

function spawnError(file: string, error: unknown): SpawnError {
  const message = error instanceof Error ? error.message : String(error);
  return new SpawnError("OTHER", `${file} could not be started: ${message}`, error);
}
