import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { buildRuntimeContext } from "../../src/context/index.ts";
import { deps, gitLines, linesOf, NOT_A_REPOSITORY, repository, withFakeGit } from "./support.ts";

describe("C6 a git that hangs", () => {
  test.for<[string, ...string[]]>([
    ["from the start", "sleep 1000"],
    ["and ignores SIGTERM", "trap '' TERM INT HUP", "sleep 1000", "sleep 1000"],
    ["only at the status", 'case "$*" in *status*) sleep 1000;; *) exec "$GIT" "$@";; esac'],
    ["only at the refs", 'case "$*" in *for-each-ref*) sleep 1000;; *) exec "$GIT" "$@";; esac'],
  ])("%s is killed at its timeout, and the turn starts without it", async ([, ...lines]) => {
    await using directory = await repository();
    await using tools = await tempDir();
    const hanging = await withFakeGit(tools.path, ...lines);
    const start = performance.now();
    const { text, isRepository } = await buildRuntimeContext(directory.path, {
      ...deps,
      gitTimeoutMs: 500,
      environment: hanging,
    });
    // Far above the timeout for a busy machine, and far below the script's 1000 s.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(linesOf(text, "env")).toContain("Product: Drover");
    expect(linesOf(text, "git_status")).toEqual(NOT_A_REPOSITORY);
    expect(isRepository).toBe(false);
    await until(() => processesOf(tools.path).length === 0, {
      what: "no process of the hanging git is left",
    });
  });
});

test("C6 a git that floods its output is killed long before its timeout", async () => {
  await using directory = await repository();
  await using tools = await tempDir();
  const flooding = await withFakeGit(tools.path, "yes", "sleep 1000");
  expect(await gitLines(directory.path, { environment: flooding })).toEqual(NOT_A_REPOSITORY);
  await until(() => processesOf(tools.path).length === 0, {
    what: "no process of the flooding git is left",
  });
});

test("C6 if one command fails, the others are not awaited", async () => {
  await using directory = await repository();
  await using tools = await tempDir();
  const failing = await withFakeGit(
    tools.path,
    'case "$*" in *for-each-ref*) sleep 1000;; *status*) exit 128;; *) exec "$GIT" "$@";; esac',
  );
  expect(await gitLines(directory.path, { environment: failing })).toEqual(NOT_A_REPOSITORY);
  await until(() => processesOf(tools.path).length === 0, { what: "the other command is ended" });
});

test("a process that is out of file descriptors still gets the environment block", async () => {
  await using directory = await repository();
  const program = join(import.meta.dirname, "out-of-descriptors.ts");
  // A low limit is reached quickly; Node itself needs about 30.
  const limited = ["-c", 'ulimit -n 100; exec "$@"', "sh", process.execPath, "-C", "source", program];
  const child = spawn("sh", [...limited, directory.path], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  expect(await closed).toEqual([0, null]);
  expect(linesOf(text, "env")).toContain(`Working directory: ${directory.path}`);
  expect(linesOf(text, "git_status")).toEqual(NOT_A_REPOSITORY);
});
