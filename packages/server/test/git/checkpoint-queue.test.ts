import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { findTop } from "../../src/git/find-top.ts";
import { gitCheckpoints } from "../../src/workspace/checkpoints.ts";
import { Stage } from "./stage.ts";

test("sessions wait in line for a checkpoint, and one whose time is up leaves the line without having run git", async () => {
  await using stage = await Stage.open();
  const bin = stage.beside("bin");
  const [log, gate] = [stage.beside("log"), stage.beside("gate")];
  await mkdir(bin);
  await promisify(execFile)("mkfifo", [gate]);
  const path = process.env["PATH"] ?? "";
  // The first `status` waits at the gate.
  const script = `case "$*" in *" status "*) echo "$GIT_DIR" >> "${log}"; mkdir "${log}-first" 2>/dev/null && read x < "${gate}";; esac`;
  await writeFile(join(bin, "git"), `#!/bin/sh\n${script}\nPATH="${path}" exec git "$@"\n`);
  await chmod(join(bin, "git"), 0o755);
  const checkpoints = gitCheckpoints({
    git: {
      environment: { PATH: `${bin}:${path}`, HOME: stage.home },
      ...{ scratch: join(stage.home, "scratch"), gitTimeoutMs: 20_000, worktreeTimeoutMs: 20_000 },
    },
    maxFile: () => 1_000,
    directory: (sessionId) => join(stage.home, sessionId),
    repositoryTop: findTop,
    atOnce: 1,
  });
  const take = (sessionId: string, limitMs: number) =>
    checkpoints.take({ sessionId, cwd: stage.top }, limitMs);
  const looked = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  const first = take("first", 20_000);
  await until(() => looked().length === 1);
  const late = take("late", 50);
  const second = take("second", 20_000);
  const third = take("third", 20_000);
  await expect(late).rejects.toMatchObject({ name: "CheckpointError", reason: "timeout" });
  expect(looked()).toHaveLength(1);
  await writeFile(gate, "\n");
  await Promise.all([first, second, third]);
  // Both checked their directories before they got in line, so either may have come first.
  const [head, ...others] = looked().map((directory) => directory.split("/").at(-1));
  expect([head, ...others.sort()]).toEqual(["first", "second", "third"]);
});
