import { afterEach, beforeEach } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { FakeServer } from "./fake-server.ts";
import { type Started, type StartOptions, start } from "./run-cli.ts";

/** The exit code and output of a command that has ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Suite {
  readonly home: string;
  readonly server: FakeServer;
  /** `drover ARGS` on this home. */
  drover(args: readonly string[], options?: Partial<StartOptions>): Started;
  /** Runs `drover ARGS` to its end. */
  run(...args: string[]): Promise<Ended>;
  /** Waits until a command reads the event stream. */
  streaming(): Promise<unknown>;
}

/** Waits until a command has ended. */
export async function ended(cli: Started): Promise<Ended> {
  const code = await cli.ended;
  return { code, stdout: cli.stdout(), stderr: cli.stderr() };
}

/** A home and a server for every test of the file. */
export function suite(): Suite {
  let home: TempDir;
  let server: FakeServer;
  beforeEach(async () => {
    home = await tempDir("home-");
    server = await FakeServer.start(home.path);
  });
  afterEach(async () => {
    await server.kill();
    await home.remove();
  });
  const drover: Suite["drover"] = (args, options = {}) => start(args, { home: home.path, ...options });
  return {
    get home() {
      return home.path;
    },
    get server() {
      return server;
    },
    drover,
    run: (...args) => ended(drover(args)),
    streaming: () => until(() => server.openStreams === 1, { what: "the stream is open" }),
  };
}

/** Presses a key until it has had an effect, because keys typed too early are ignored. */
export async function pressUntil(cli: Started, key: string, fact: () => boolean): Promise<void> {
  await until(() => {
    if (fact()) return true;
    cli.type(key);
    return false;
  });
}
