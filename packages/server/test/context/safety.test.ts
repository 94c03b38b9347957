import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { environment, gitLines, repository, script, withFakeGit } from "./support.ts";

test("H1 a program called git in the repository does not run, even with a relative entry in PATH", async () => {
  await using directory = await repository();
  const canary = join(directory.path, ".git/canary");
  await script(join(directory.path, "git"), `touch "${canary}"`);
  const careless = { ...environment, PATH: `.:${environment.PATH}` };
  expect(await gitLines(directory.path, { environment: careless })).toContain("Current branch: main");
  expect(existsSync(canary)).toBe(false);
});

test("git gets the environment built for it, with locks, prompts, fetching and translation off", async () => {
  await using directory = await repository();
  await using tools = await tempDir();
  const built = await withFakeGit(tools.path, `env >> "${tools.path}/seen"`, 'exec "$GIT" "$@"');
  await gitLines(directory.path, { environment: { ...built, LANGUAGE: "de", LC_ALL: "de_DE.UTF-8" } });
  const seen = new Set((await readFile(join(tools.path, "seen"), "utf8")).trim().split("\n"));
  // The shell that runs the script adds these.
  const byTheShell = /^(PWD|OLDPWD|SHLVL|_)=/;
  // A new private directory for each run.
  const isPrivate = /^GIT_DIR=/;
  const received = [...seen].filter((line) => !byTheShell.test(line) && !isPrivate.test(line));
  expect(received.sort()).toEqual([
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_ATTR_NOSYSTEM=1",
    `GIT_CEILING_DIRECTORIES=${dirname(directory.path)}`,
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    `GIT_WORK_TREE=${directory.path}`,
    `HOME=${built["HOME"]}`,
    "LANGUAGE=de",
    "LC_ALL=C",
    `PATH=${built["PATH"]}`,
  ]);
});
