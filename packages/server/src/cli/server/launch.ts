import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeHome } from "../../home.ts";
import type { Cli } from "../cli.ts";
import { CliError, exit } from "../exit.ts";
import { Screen } from "../view/screen.ts";
import { poll } from "./poll.ts";

/** The line `drover serve --json` prints when it listens. */
export interface Listening {
  readonly event: "listening";
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly home: string;
  readonly login: string;
}

/** A server that ended instead of listening; `code` is its exit code. */
export class LaunchError extends CliError {
  readonly code: number | null;

  constructor(code: number | null, said: string, log: string) {
    const known = code === exit.usage || code === exit.noServer ? code : exit.noServer;
    super(known, said || `The server ended with ${code} before it listened.`, `Its log: ${log}`);
    this.code = code;
  }
}

/** Recovering a long log takes a while; a server that hangs for ever must not take its caller along. */
const startTimeoutMs = 60_000;

/** V8 would let 128 MB of garbage pile up on a large machine; collected sooner it costs no more time. */
export const serverNodeOptions: readonly string[] = ["--max-semi-space-size=8"];

/**
 * Starts `drover serve` as a process of its own that outlives this one, and waits until it listens. Its words go to
 * the server's log; the line with the login link goes through a private file instead, because a log is kept.
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
  const logged = (await log.stat()).size;
  const [node, ...first] = command;
  const child = spawn(node, [...serverNodeOptions, ...first, "serve", "--json", ...args], {
    cwd: home.directory,
    env: serverEnvironment,
    detached: true,
    stdio: ["ignore", answer.fd, log.fd],
  });
  const failed = once(child, "error").then(([error]) => new CliError(exit.noServer, String(error)));
  const ended = once(child, "exit").then(([code]) => ({ code: code as number | null }));
  const news = await Promise.race([failed, ended, listening(answerFile)]).finally(() =>
    rm(answerFile, { force: true }),
  );
  child.unref();
  if (news instanceof CliError) throw news;
  const said = await readFrom(home.serverLog, logged);
  if (news && "event" in news) {
    const words = said.filter((line) => !line.startsWith("{"));
    screen.lines(words);
    return news;
  }
  if (news) throw new LaunchError(news.code, said.join("\n"), home.serverLog);
  throw new CliError(
    exit.noServer,
    `The server does not listen after ${startTimeoutMs / 1000} s.`,
    `Look at ${home.serverLog}; \`drover down\` ends it.`,
  );
}

function listening(answerFile: string): Promise<Listening | undefined> {
  return poll(async () => {
    const text = await readFile(answerFile, "utf8").catch(() => "");
    // What stands behind the last newline may still be being written.
    const lines = text.split("\n").slice(0, -1);
    const line = lines.find((candidate) => candidate.startsWith('{"event":"listening"'));
    return line ? (JSON.parse(line) as Listening) : undefined;
  }, startTimeoutMs);
}

/** What a server said while it started, such as that it found a damaged database; its log is JSON. */
async function readFrom(path: string, offset: number): Promise<string[]> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(offset).toString("utf8").trim().split("\n");
  return lines.filter((line) => line !== "").slice(-10);
}
