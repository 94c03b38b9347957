import { hostname, platform, release } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { buildSystemPromptAppend } from "../../src/context/index.ts";
import {
  clone,
  commit,
  deps,
  environment,
  git,
  gitLines,
  linesOf,
  NOT_A_REPOSITORY,
  repository,
  write,
} from "./support.ts";

test("C1 the context of a clean working tree says so, in two blocks separated by a blank line", async () => {
  await using directory = await repository();
  const now = () => new Date("2026-02-18T14:30:00Z");
  expect(await buildSystemPromptAppend(directory.path, { ...deps, now })).toBe(
    [
      "<env>",
      `Working directory: ${directory.path}`,
      "Product: Drover",
      "Version: 1.2.3",
      "Port: 4242",
      `Platform: ${platform()}`,
      `OS Version: ${release()}`,
      `Node.js: ${process.version}`,
      `Hostname: ${hostname()}`,
      "Date: 2026-02-18T14:30:00.000Z",
      "</env>",
      "",
      "<git_status>",
      "Is git repo: true",
      "Current branch: main",
      "Main branch (use for PRs): main",
      "Working tree: clean",
      "</git_status>",
    ].join("\n"),
  );
});

describe("C7 there is no repository", () => {
  test("in a plain directory", async () => {
    await using directory = await tempDir();
    expect(await gitLines(directory.path)).toEqual(NOT_A_REPOSITORY);
  });

  test("at a missing path, a file, or an impossible name; the working directory is named anyway", async () => {
    await using directory = await tempDir();
    await write(directory.path, { file: "" });
    for (const name of ["missing", "file"]) {
      const text = await buildSystemPromptAppend(join(directory.path, name), deps);
      expect(linesOf(text, "git_status")).toEqual(NOT_A_REPOSITORY);
      expect(linesOf(text, "env")[0]).toBe(`Working directory: ${join(directory.path, name)}`);
    }
    expect(await gitLines(`${directory.path}\0`)).toEqual(NOT_A_REPOSITORY);
  });

  test("in a bare repository, which has no working tree", async () => {
    await using directory = await tempDir();
    await git(directory.path, "init", "-q", "--bare");
    expect(await gitLines(directory.path)).toEqual(NOT_A_REPOSITORY);
  });

  test("if it belongs to another user", async () => {
    await using directory = await repository();
    const asAnother = { ...environment, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    expect(await gitLines(directory.path, { environment: asAnother })).toEqual(NOT_A_REPOSITORY);
  });

  test("if its HEAD is damaged", async () => {
    await using directory = await repository();
    await write(directory.path, { ".git/HEAD": "nonsense\n" });
    expect(await gitLines(directory.path)).toEqual(NOT_A_REPOSITORY);
  });

  test("if git is not installed", async () => {
    await using directory = await repository();
    const withoutGit = { ...environment, PATH: join(directory.path, "nowhere") };
    expect(await gitLines(directory.path, { environment: withoutGit })).toEqual(NOT_A_REPOSITORY);
  });
});

test("C9 the context has only the listed facts: no URL, commit message, stash, file name or variable", async () => {
  await using origin = await repository();
  await using directory = await clone(origin.path);
  await git(
    directory.path,
    "remote",
    "set-url",
    "origin",
    "https://me:secret-url@example.invalid/secret-remote.git",
  );
  await commit(directory.path, { "secret-file": "secret-content\n" });
  await git(directory.path, "commit", "-q", "--amend", "-m", "secret-message");
  await write(directory.path, { "secret-file": "secret-stashed\n" });
  await git(directory.path, "stash", "push", "-q", "-m", "secret-stash");
  await write(directory.path, { "secret-untracked": "" });
  const text = await buildSystemPromptAppend(directory.path, {
    ...deps,
    environment: { ...environment, SECRET_VARIABLE: "secret-value" },
  });
  expect(text).not.toMatch(/secret|example\.invalid/i);
  expect(linesOf(text, "env").map((line) => line.split(":")[0])).toEqual([
    ...[
      "Working directory",
      "Product",
      "Version",
      "Port",
      "Platform",
      "OS Version",
      "Node.js",
      "Hostname",
      "Date",
    ],
  ]);
  expect(linesOf(text, "git_status")).toEqual([
    "Is git repo: true",
    "Current branch: main",
    "Main branch (use for PRs): main",
    "Ahead of origin: 1 commits",
    "Working tree: dirty (1 untracked)",
  ]);
});

test("C11 the context has the given version and port, and the current time in ISO 8601", async () => {
  await using directory = await tempDir();
  const before = Date.now();
  const text = await buildSystemPromptAppend(directory.path, { ...deps, version: "9.8.7-rc.1", port: 50123 });
  const lines = linesOf(text, "env");
  expect(lines.slice(2, 4)).toEqual(["Version: 9.8.7-rc.1", "Port: 50123"]);
  const date = lines.at(-1)?.replace("Date: ", "") ?? "";
  expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(date)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
});

test("a failing clock leaves out the environment and nothing else", async () => {
  await using directory = await repository();
  const now = () => new Date(Number.NaN);
  const text = await buildSystemPromptAppend(directory.path, { ...deps, now });
  expect(text).toMatch(/^<git_status>\nIs git repo: true\n/);
});
