import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { type StartOptions, start } from "./run-cli.ts";
import { type Ended, ended } from "./suite.ts";

export interface NewHome {
  /** Where the home will be. Nothing is there until a test makes it. */
  readonly path: string;
  /** Runs `drover ARGS` on this home to its end. */
  drover(args: readonly string[], options?: Partial<StartOptions>): Promise<Ended>;
  make(): Promise<unknown>;
  /** Makes an empty database in it. */
  makeStore(): Promise<void>;
}

/** A path for a home that does not exist yet, for every test in the file. No server is started. */
export function newHome(): NewHome {
  let path: string;
  beforeEach(async () => {
    const directory = await tempDir("home-");
    path = join(directory.path, "drover");
    onTestFinished(() => directory.remove());
  });
  return {
    get path() {
      return path;
    },
    drover: (args, options = {}) => ended(start(args, { home: path, ...options })),
    make: () => mkdir(path, { mode: 0o700 }),
    makeStore: async () => {
      await using _store = await openSqliteStore({ file: homeAt(path).database });
    },
  };
}
