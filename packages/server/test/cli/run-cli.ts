// Runs commands in this process, on their own streams and home.

import { PassThrough } from "node:stream";
import { until } from "../../../../test/kit/until.ts";
import type { Host, Settings } from "../../src/cli/cli.ts";
import { runCli } from "../../src/cli/program.ts";
import { type ConfigQuestion, loadConfig } from "../../src/config.ts";
import { createDrivers } from "../../src/drivers/index.ts";
import { homeAt } from "../../src/home.ts";
import { inspectStore, openStore } from "../../src/store/index.ts";
import { forgetCheckpoints } from "../../src/workspace/forget-checkpoints.ts";

export interface Started {
  /** Resolves to the exit code. */
  readonly ended: Promise<number>;
  stdout(): string;
  stderr(): string;
  /** Types at the terminal. */
  type(keys: string): void;
  /** Ctrl-C as a signal. */
  interrupt(): void;
  readonly isRaw: boolean;
  /** Waits until it has printed this text on either stream. */
  says(text: string | RegExp): Promise<void>;
}

export interface StartOptions {
  readonly home: string;
  readonly settings?: Partial<Settings>;
  /** Standard input, output and error are a terminal. */
  readonly terminal?: boolean;
  /** The text on standard input. */
  readonly input?: string;
  readonly config?: ConfigQuestion;
  /** Awaited before the command gets its store. */
  readonly beforeStore?: () => Promise<void>;
}

/** Starts `drover ARGS` and returns what a person or script would see of it. */
export function start(args: readonly string[], options: StartOptions): Started {
  const { home, terminal = false, input } = options;
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let isRaw = false;
  if (terminal) {
    Object.assign(stdin, { isTTY: true, setRawMode: (on: boolean) => (isRaw = on) });
    Object.assign(stdout, { isTTY: true, columns: 100 });
    Object.assign(stderr, { isTTY: true, columns: 100 });
  } else stdin.end(input ?? "");
  const texts = { stdout: "", stderr: "" };
  stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const listeners = new Set<() => void>();
  const host: Host = {
    ...{ stdin, stdout, stderr },
    settings: { ...settingsFor(home), ...options.settings },
    parts: {
      serve: () => Promise.reject(new Error("a command served in the test's own process")),
      loadConfig: (question) => loadConfig({ ...question, env: { DROVER_HOME: home }, ...options.config }),
      driver: async (preset) => drivers(home)[preset.driver],
      inspectStore: () => inspectStore(homeAt(home).database),
      openStore: async () => {
        await options.beforeStore?.();
        return openStore({ file: homeAt(home).database });
      },
      forgetCheckpoints: (directory) => forgetCheckpoints(directory, { PATH: process.env["PATH"] ?? "" }),
      makeDemoProject: () => Promise.reject(new Error("a demonstration in the test's own process")),
    },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
  return {
    ended: runCli(args, host),
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    type: (keys) => void stdin.write(keys),
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    get isRaw() {
      return isRaw;
    },
    says: async (text) => {
      const said = () => {
        const all = texts.stdout + texts.stderr;
        return typeof text === "string" ? all.includes(text) : text.test(all);
      };
      await until(said, { what: `it says ${text}` });
    },
  };
}

const drivers = (home: string) =>
  createDrivers({
    version: "0.1.0",
    agents: homeAt(home).agents,
    programs: home,
    onUnknown: () => undefined,
  });

function settingsFor(home: string): Settings {
  return {
    version: "0.1.0",
    cwd: home,
    command: [process.execPath, "-e", "process.exit(9)"],
    autostart: false,
    colour: false,
    home: homeAt(home),
    programs: home,
    serverEnvironment: {},
    patienceMs: 60_000,
  };
}
