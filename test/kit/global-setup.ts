// Once per run: one directory for everything the run creates, and a check at the end that nothing outlived it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { killAllOf } from "./processes.ts";

/** In the directory of a test file, from its first hook on (setup.ts). */
export const startedMarker = "started";

/** In the run's directory: a line of JSON per test file (setup.ts). */
export const costs = "costs.jsonl";

export interface Cost {
  path: string;
  seconds: number;
}

declare module "vitest" {
  interface ProvidedContext {
    /** The directory in which each test file creates its own. */
    files: string;
    /** Where the workers' browsers keep their profiles. */
    browsers: string;
    /** Where each test file records its processor seconds. */
    costs: string;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  // `npm test` brings its own, which it removes even after an interrupted run.
  const given = process.env["DROVER_TEST_RUN"];
  const run = given ?? realpathSync(mkdtempSync(join(tmpdir(), "drover-test-")));
  const files = join(run, "files");
  const browsers = join(run, "browsers");
  for (const directory of [files, browsers]) mkdirSync(directory);
  project.provide("files", files);
  project.provide("browsers", browsers);
  project.provide("costs", join(run, costs));

  // Each file checks itself (setup.ts); leftovers here belong to a file whose worker died before that.
  return async () => {
    const left = [
      ...(await killAllOf(files)).map(({ pid, command }) => `process ${pid}: ${command}`),
      ...readdirSync(files)
        .filter((name) => existsSync(join(files, name, startedMarker)))
        .map((name) => `directory of a file that did not end: ${name}`),
    ];
    // A browser ends when its worker does, but not at once.
    await killAllOf(browsers);
    rmSync(given === undefined ? run : files, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`The run left behind:\n  ${left.join("\n  ")}`);
  };
}
