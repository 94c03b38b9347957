// A real Drover server: `drover serve` of the published package, in its own process and home.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { serverNodeOptions } from "../../packages/server/src/cli/server/launch.ts";
import { testedPackage } from "../../scripts/root.ts";
import { killAllOf } from "./processes.ts";
import { tempDir } from "./temp.ts";
import { until } from "./until.ts";

/** The `drover` command, which the test run has built. */
export const droverCommand = join(testedPackage, "bin", "drover.js");

export interface ServerOptions {
  /** The user's HOME; Drover's own home is `.drover` in it. Default: a new one, removed with the server. */
  home?: string;
  /** The content of `drover.yaml`. */
  config?: Record<string, unknown>;
  /** Added to the few variables a server is started with; nothing else is inherited. */
  env?: Record<string, string>;
  /** A `drover` other than the tested one. */
  command?: string;
  /** Further arguments for `serve`. */
  args?: string[];
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The address and the token of a server. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

export interface Server extends Target, AsyncDisposable {
  readonly port: number;
  /** The serving process, as the server reports it. */
  readonly pid: number;
  /** HOME of the server and its agents. */
  readonly home: string;
  /** DROVER_HOME. */
  readonly droverHome: string;
  /** The one-time login link. */
  readonly login: string;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /** Sends `kill -9` to the serving process and waits for its end; agents keep running. */
  kill9(): Promise<void>;
  /** Sends SIGTERM to the serving process and returns how it ended; agents keep running. */
  term(): Promise<Exit>;
  /** Ends the server and everything started from its home. */
  stop(): Promise<void>;
}

/** The variables of a clean machine: programs under test see these and what the test adds. */
export function cleanEnvironment(home: string): Record<string, string> {
  const kept = ["PATH", "LANG", "TMPDIR", "NODE_COMPILE_CACHE"].flatMap((key) => {
    const value = process.env[key];
    return value === undefined ? [] : [[key, value]];
  });
  return { ...Object.fromEntries(kept), HOME: home, DROVER_HOME: join(home, ".drover") };
}

interface Listening {
  url: string;
  port: number;
  pid: number;
  login: string;
}

function listeningLine(output: string): Listening | undefined {
  const line = output.split("\n").find((text) => text.startsWith('{"event":"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as Listening);
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

type ServerProcess = ChildProcessByStdio<null, Readable, Readable>;

const hasEnded = (child: ServerProcess) => child.exitCode !== null || child.signalCode !== null;

async function untilListening(child: ServerProcess, stdout: () => string): Promise<Listening> {
  const options = { what: "the server listens or ends" };
  const listening = await until(() => listeningLine(stdout()) ?? hasEnded(child), options);
  if (listening === true) throw new Error(`it ended with ${child.signalCode ?? child.exitCode}`);
  return listening;
}

/** Starts `drover serve --port 0 --json` and waits until it listens; otherwise throws with its output. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const own = options.home === undefined ? await tempDir("home-") : undefined;
  const home = options.home ?? own?.path ?? "";
  const droverHome = join(home, ".drover");
  if (options.config) {
    await mkdir(droverHome, { recursive: true });
    // JSON is YAML.
    await writeFile(join(droverHome, "drover.yaml"), JSON.stringify(options.config, null, 2));
  }
  const drover = [...serverNodeOptions, options.command ?? droverCommand];
  const child = spawn(
    process.execPath,
    [...drover, "serve", "--port", "0", "--json", ...(options.args ?? [])],
    { cwd: home, env: { ...cleanEnvironment(home), ...options.env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exited = once(child, "exit").then(([code, signal]): Exit => ({ code, signal }));
  const stop = async () => {
    child.kill("SIGTERM");
    const late = await until(() => hasEnded(child), { what: "the server ends on TERM" }).then(
      () => undefined,
      (error: unknown) => error,
    );
    await killAllOf(home);
    await exited;
    await own?.remove();
    if (late) throw late;
  };
  try {
    const { url, port, pid, login } = await untilListening(child, stdout);
    const token = (await readFile(join(droverHome, "token"), "utf8")).trim();
    const signal = (name: NodeJS.Signals) => {
      if (!hasEnded(child)) process.kill(pid, name);
      return exited;
    };
    return {
      ...{ url, token, port, pid, home, droverHome, login, exited, stdout, stderr, stop },
      kill9: async () => void (await signal("SIGKILL")),
      term: () => signal("SIGTERM"),
      [Symbol.asyncDispose]: stop,
    };
  } catch (cause) {
    child.kill("SIGKILL");
    await stop();
    throw new Error(`The server did not start.\n${stdout()}${stderr()}`, { cause });
  }
}
