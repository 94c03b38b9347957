import type { Readable } from "node:stream";
import type { Preset, Result } from "@drover/core";
import type { Config, ConfigError } from "../config.ts";
import type { Home } from "../home.ts";
import type { Driver, Maintenance, StoreInspection } from "../ports.ts";
import type { Output, Writer } from "./terminal/writer.ts";

export type Input = Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** The process a command line runs in. `main.ts` makes the real one. */
export interface Host extends Omit<Cli, "stdout" | "stderr"> {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Everything a command touches outside itself; commands see no other process, terminal or environment. */
export interface Cli {
  readonly stdin: Input;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly settings: Settings;
  readonly parts: Parts;
  /** Calls back on every Ctrl-C (SIGINT) until disposed; while nobody listens it ends the process. */
  onInterrupt(listener: () => void): Disposable;
}

export interface Settings {
  readonly version: string;
  readonly cwd: string;
  /** How this very program is started again: its executable and first arguments. */
  readonly command: readonly [string, ...string[]];
  /** DROVER_URL and DROVER_TOKEN: a server elsewhere. */
  readonly url?: string;
  readonly token?: string;
  readonly autostart: boolean;
  /** DROVER_SESSION: set when an agent of that session runs this command. */
  readonly session?: string;
  readonly colour: boolean;
  readonly home: Home;
  /** Where this program itself lies. */
  readonly programs: string;
  /** For a server started from here: our own environment without the mark of a session. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
  /** How long a command that already spoke with its server waits for it to come back. */
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

/** Where a server reports its start. */
export interface ServeOutput {
  say(text: string): void;
  complain(text: string): void;
  json(value: unknown): void;
}

/** What commands do without a server. Handed in by main, which loads each part when it is used. */
export interface Parts {
  /** Serves until told to end; resolves to the exit code. */
  serve(options: ServeOptions, output: ServeOutput): Promise<number>;
  /** What is configured for this home, shipped agents included. */
  loadConfig(options?: { readonly config?: string | undefined }): Promise<Result<Config, ConfigError[]>>;
  /** What can be asked of an agent's driver without starting the agent. */
  driver(preset: Preset): Promise<Pick<Driver, "capabilities" | "lacks">>;
  /** What can be seen of this home's store without opening it. */
  inspectStore(): Promise<StoreInspection>;
  /** The store of this home, beside a server that may be using it. Rejects with words for a person. */
  openStore(): Promise<Maintenance & AsyncDisposable>;
}
