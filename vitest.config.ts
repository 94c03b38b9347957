import { defineConfig } from "vitest/config";
import { shared } from "./test/kit/shared-files.ts";

/** Tests of functions: they start nothing and change nothing outside their own module. */
const pure = [
  "packages/core/test/**/*.test.ts",
  "packages/server/test/acp/{commands,map,reader,turn-end,wire}.test.ts",
  "packages/server/test/claude/{history,map,reader,requests,turn-end}.test.ts",
  "packages/server/test/jsonl/{map,map-rules,work-rules}.test.ts",
  "packages/server/test/presets/{commands,output}.test.ts",
  "packages/server/test/text/reader.test.ts",
  "packages/server/test/{api/follow,cli/harmless,context/parse,demo/script,engine/fork-point,engine/record-batch}.test.ts",
  "packages/server/test/process/{lines,pace,semaphore}.test.ts",
  "packages/web/test/{change-set,command-parts,commented-lines,diff-parse,git-diff,hunks,line-pieces,live-collection,nesting,outbox,pages,resource,routing,taking-back,token,tool-input,transcript-chunks}.test.ts",
  "test/{acceptance,file-length,layers,lockfile,shared-files}.test.ts",
];

// Conformance downloads vendors' programs; `npm run conformance` runs it.
const excluded = ["**/node_modules/**", "**/dist/**", "test/conformance/**"];

/** What holds for every test. */
const common = {
  pool: "forks" as const,
  execArgv: ["-C", "source"],
  // A deadline is for what never happens. It does not measure speed: the machine may be busy with the workers, their
  // servers and browsers.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  setupFiles: ["test/kit/setup.ts"],
};

// Workspace packages run from their source, here and in the programs that tests start.
const fromSource = {
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
};

export default defineConfig({
  test: {
    globalSetup: ["test/kit/global-setup.ts"],
    // More than the two processors of the machine it is meant for: tests mostly wait for other programs.
    maxWorkers: 4,
    projects: [
      {
        ...fromSource,
        // One process for many files: starting it and loading core costs more than most of these tests.
        test: { ...common, name: "pure", include: pure, exclude: excluded, isolate: false },
      },
      {
        ...fromSource,
        test: { ...common, name: "shared", include: shared, exclude: [...excluded, ...pure], isolate: false },
      },
      {
        ...fromSource,
        test: {
          ...common,
          name: "real",
          include: ["packages/*/test/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
          // A process per file: suites change the environment, open descriptors and kill what they started.
          exclude: [...excluded, ...pure, ...shared],
        },
      },
    ],
  },
});
