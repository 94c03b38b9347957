import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeHome } from "../../home.ts";
import type { Cli } from "../cli.ts";
import { CliError, exit } from "../exit.ts";
import { Screen } from "../view/screen.ts";
import { poll } from "./poll.ts";
import { readServerFile, serveArguments } from "./server-file.ts";

/** The line `drover serve --json` prints when it listens. */
export interface Listening {
  readonly event: "listening";
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly home: string;
  readonly login: string;
}

/** The server exited before it was listening; `code` is its exit code. */
export class LaunchError extends CliError {
  readonly code: number | null;

  constructor(code: number | null, output: string, log: string) {
    const known = code === exit.usage || code === exit.noServer ? code : exit.noServer;
    super(known, output || `The server exited with ${code} before it was listening.`, `Log: ${log}`);
    this.code = code;
  }
}

/** Recovering a long log takes a while, but a server that hangs must not make its caller hang. */
const startTimeoutMs = 60_000;

/** On large machines V8 would let 128 MB of garbage pile up; collecting it sooner takes no more time. */
export const serverNodeOptions: readonly string[] = ["--max-semi-space-size=8"];

/**
 * Starts a server with the options of the last one, if that was killed: a killed server leaves its file behind. A
 * command inside a session starts none: if its own server is away, another one could not help it.
 */
export async function restartServer(cli: Cli): Promise<Listening> {
  if (cli.settings.session !== undefined) {
    throw new CliError(
      exit.noServer,
      `No server is running on ${cli.settings.home.directory}, and this command runs inside a session.`,
      "Ask a person to start one with `drover serve`.",
    );
  }
  const file = await readServerFile(cli.settings.home.serverFile);
  const options = file.state === "stale" ? file.server.options : undefined;
  return launchServer(cli, serveArguments(options ?? {}));
}

/**
 * Starts `drover serve` as a separate process that outlives this one, and waits until it is listening. Its output goes
 * to the server's log, except for the login link: that goes through a private file, because logs are kept.
 */
export async function launchServer(cli: Cli, args: readonly string[] = []): Promise<Listening> {
  const { home, command, serverEnvironment } = cli.settings;
  using screen = new Screen(cli);
  screen.busy("starting the server");
  const unusable = await makeHome(home);
  if (unusable !== undefined) throw new CliError(exit.usage, unusable);
  const answerFile = join(home.directory, `listening-${process.pid}`);
  await using log = await open(home.serverLog, "a", 0o600);
  await using answer = await open(answerFile, "w", 0o600);
  const logStart = (await log.stat()).size;
  const [node, ...first] = command;
  const child = spawn(node, [...serverNodeOptions, ...first, "serve", "--json", ...args], {
    cwd: home.directory,
    env: serverEnvironment,
    detached: true,
    stdio: ["ignore", answer.fd, log.fd],
  });
  const failed = once(child, "error").then(([error]) => new CliError(exit.noServer, String(error)));
  const ended = once(child, "exit").then(([code]) => ({ code: code as number | null }));
  const outcome = await Promise.race([failed, ended, listening(answerFile)]).finally(() =>
    rm(answerFile, { force: true }),
  );
  child.unref();
  if (outcome instanceof CliError) throw outcome;
  const output = await readFrom(home.serverLog, logStart);
  if (outcome && "event" in outcome) {
    screen.lines(output.filter((line) => !line.startsWith("{")));
    return outcome;
  }
  if (outcome) throw new LaunchError(outcome.code, output.join("\n"), home.serverLog);
  throw new CliError(
    exit.noServer,
    `The server is still not listening after ${startTimeoutMs / 1000} s.`,
    `See ${home.serverLog}; \`drover down\` stops it.`,
  );
}

function listening(answerFile: string): Promise<Listening | undefined> {
  return poll(async () => {
    const text = await readFile(answerFile, "utf8").catch(() => "");
    // The text after the last newline may be incomplete.
    const lines = text.split("\n").slice(0, -1);
    const line = lines.find((candidate) => candidate.startsWith('{"event":"listening"'));
    return line ? (JSON.parse(line) as Listening) : undefined;
  }, startTimeoutMs);
}

/** The server's output while it was starting, such as a warning about a damaged database. Log entries are JSON. */
async function readFrom(path: string, offset: number): Promise<string[]> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(offset).toString("utf8").trim().split("\n");
  return lines.filter((line) => line !== "").slice(-10);
}
