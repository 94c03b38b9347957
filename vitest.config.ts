import { defineConfig } from "vitest/config";

export default defineConfig({
  // Workspace packages run from their source, here and in the programs that tests start.
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/test/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    // Conformance downloads vendors' programs; `npm run conformance` runs it.
    exclude: ["**/node_modules/**", "**/dist/**", "test/conformance/**"],
    // A process per file: suites change the environment, open descriptors and kill what they started.
    pool: "forks",
    execArgv: ["-C", "source"],
    // One more than the two processors of the machine it is meant for: tests mostly wait for other programs.
    maxWorkers: 3,
    // These tell that something never comes, not how fast it is: a machine that is busy with its workers, their servers
    // and browsers may take its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ["test/kit/global-setup.ts"],
    setupFiles: ["test/kit/setup.ts"],
  },
});
