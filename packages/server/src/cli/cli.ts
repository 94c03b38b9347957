import type { Readable } from "node:stream";
import type { Preset, Result } from "@drover/core";
import type { Config, ConfigError } from "../config.ts";
import type { Home } from "../home.ts";
import type { Driver, Maintenance, StoreInspection } from "../ports.ts";
import type { Output, Writer } from "./terminal/writer.ts";

export type Input = Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** The process that a command line runs in. `main.ts` creates the real one. */
export interface Host extends Omit<Cli, "stdout" | "stderr"> {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Everything outside a command that it may use. Commands access no other process, terminal or environment. */
export interface Cli {
  readonly stdin: Input;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly settings: Settings;
  readonly parts: Parts;
  /** Calls back on every Ctrl-C (SIGINT) until disposed. Without a listener, Ctrl-C ends the process. */
  onInterrupt(listener: () => void): Disposable;
}

export interface Settings {
  readonly version: string;
  readonly cwd: string;
  /** How to start this program again: its executable and first arguments. */
  readonly command: readonly [string, ...string[]];
  /** DROVER_URL and DROVER_TOKEN: another server than the one of this home. */
  readonly url?: string;
  readonly token?: string;
  readonly autostart: boolean;
  /** DROVER_SESSION: set when an agent of that session runs this command. */
  readonly session?: string;
  readonly colour: boolean;
  readonly home: Home;
  /** The directory of this program. */
  readonly programs: string;
  /** The environment for a server started from here: our own without DROVER_SESSION. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
  /** How long a command waits for a server that has answered before and went away. */
  readonly patienceMs: number;
}

export interface ServeOptions {
  readonly port?: number;
  readonly config?: string;
  /** --detach never reaches `serve` itself. */
  readonly detach?: boolean;
  readonly stopAgents?: boolean;
  readonly json?: boolean;
}

/** Where a server reports that it has started. */
export interface ServeOutput {
  say(text: string): void;
  complain(text: string): void;
  json(value: unknown): void;
}

/** What commands can do without a server. `main.ts` loads each part when it is used. */
export interface Parts {
  /** Serves until a signal stops it. Resolves to the exit code. */
  serve(options: ServeOptions, output: ServeOutput): Promise<number>;
  /** The configuration of this home, including shipped agents. */
  loadConfig(options?: { readonly config?: string | undefined }): Promise<Result<Config, ConfigError[]>>;
  /** The part of an agent's driver that works without starting the agent. */
  driver(preset: Preset): Promise<Pick<Driver, "capabilities" | "lacks">>;
  /** Inspects this home's store without opening it. */
  inspectStore(): Promise<StoreInspection>;
  /** Opens this home's store; a server may be using it, too. Rejects with a message for people. */
  openStore(): Promise<Maintenance & AsyncDisposable>;
  /** Removes what a session's checkpoints left in its repository; rejects if git cannot. */
  forgetCheckpoints(directory: string): Promise<void>;
  /**
   * Makes a small repository for `drover demo`, unless it exists. With `anew`, one that exists gets its first files
   * again, without these. Rejects if git cannot.
   */
  makeDemoProject(directory: string, order?: { readonly anew: readonly string[] }): Promise<void>;
}
