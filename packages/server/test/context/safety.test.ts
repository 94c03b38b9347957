import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import {
  clone,
  commit,
  environment,
  git,
  gitLines,
  NOT_A_REPOSITORY,
  repository,
  script,
  withFakeGit,
  write,
} from "./support.ts";

describe("a repository cannot make Drover run", () => {
  /** Shows that Drover runs nothing, and then by the user's own git that there was something to run. */
  async function expectToRunOnlyByHand(directory: string, canary: string): Promise<string[]> {
    const lines = await gitLines(directory);
    expect(existsSync(canary)).toBe(false);
    await git(directory, "status").catch(() => undefined);
    expect(existsSync(canary)).toBe(true);
    return lines;
  }

  /** Times that do not match the index: git must look at the content to know. */
  const touch = (directory: string, name = "tracked.txt") => utimes(join(directory, name), 1, 1);

  test.for([
    ["clean", "plain"],
    ["process", "plain"],
    ["clean", "With.dots"],
  ])("its filters (%s of %s), not even those that are required", async ([kind, name]) => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    const filter = await script(join(directory.path, ".git/filter"), `touch "${canary}"`, "exec cat");
    await git(directory.path, "config", `filter.${name}.${kind}`, filter);
    await git(directory.path, "config", `filter.${name}.required`, "true");
    await write(directory.path, { ".git/info/attributes": `*.txt filter=${name}\n` });
    await touch(directory.path);
    expect(await expectToRunOnlyByHand(directory.path, canary)).toContain("Working tree: clean");
  });

  test("a filter whose name cannot be turned off: it counts as no repository", async () => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    const filter = await script(join(directory.path, ".git/filter"), `touch "${canary}"`, "exec cat");
    await appendFile(join(directory.path, ".git/config"), `[filter "a=b"]\n\tclean = ${filter}\n`);
    await write(directory.path, { ".git/info/attributes": "*.txt filter=a=b\n" });
    await touch(directory.path);
    expect(await expectToRunOnlyByHand(directory.path, canary)).toEqual(NOT_A_REPOSITORY);
  });

  test("its file system monitor", async () => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    const monitor = await script(join(directory.path, ".git/monitor"), `touch "${canary}"`, "exit 1");
    await git(directory.path, "config", "core.fsmonitor", monitor);
    await expectToRunOnlyByHand(directory.path, canary);
  });

  test("its hooks, nor does looking write the index", async () => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    await mkdir(join(directory.path, ".git/hooks"), { recursive: true });
    await script(join(directory.path, ".git/hooks/post-index-change"), `touch "${canary}"`);
    await touch(directory.path);
    const index = await readFile(join(directory.path, ".git/index"));
    await gitLines(directory.path);
    expect(await readFile(join(directory.path, ".git/index"))).toEqual(index);
    await expectToRunOnlyByHand(directory.path, canary);
  });

  test("the filters of its submodules; a submodule at another commit is still seen", async () => {
    await using library = await repository();
    await using directory = await repository();
    const submodule = join(directory.path, "library");
    await git(
      directory.path,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      library.path,
      "library",
    );
    await git(directory.path, "commit", "-q", "-m", "a submodule");
    const canary = join(directory.path, ".git/canary");
    const filter = await script(join(directory.path, ".git/filter"), `touch "${canary}"`, "exec cat");
    await git(submodule, "config", "filter.theirs.clean", filter);
    await write(directory.path, { ".git/modules/library/info/attributes": "*.txt filter=theirs\n" });
    await touch(submodule);
    expect(await expectToRunOnlyByHand(directory.path, canary)).toContain("Working tree: clean");
    await git(submodule, "commit", "-q", "--allow-empty", "-m", "further");
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (1 modified)");
  });

  test("the command by which a partial clone fetches what it lacks", async () => {
    await using origin = await repository();
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n");
    await commit(origin.path, { "old.txt": lines });
    await using directory = await clone(origin.path);
    const canary = join(directory.path, ".git/canary");
    const transport = await script(join(directory.path, ".git/transport"), `touch "${canary}"`, "exit 1");
    const object = await git(directory.path, "rev-parse", "HEAD:old.txt");
    // Similar, not the same: to call it a rename git compares the contents, of which one is missing.
    await git(directory.path, "mv", "old.txt", "new.txt");
    await write(directory.path, { "new.txt": `${lines}\nmore\n` });
    await git(directory.path, "add", "-A");
    await rm(join(directory.path, ".git/objects", object.slice(0, 2), object.slice(2)));
    await git(directory.path, "config", "core.repositoryFormatVersion", "1");
    await git(directory.path, "config", "extensions.partialClone", "origin");
    await git(directory.path, "config", "remote.origin.promisor", "true");
    await git(directory.path, "config", "remote.origin.url", "ssh://example.invalid/a.git");
    await git(directory.path, "config", "protocol.ssh.allow", "always");
    await git(directory.path, "config", "core.sshCommand", transport);
    await expectToRunOnlyByHand(directory.path, canary);
  });

  test("a program called git of its own, through a relative entry of PATH", async () => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    await script(join(directory.path, "git"), `touch "${canary}"`);
    const careless = { ...environment, PATH: `.:${environment.PATH}` };
    expect(await gitLines(directory.path, { environment: careless })).toContain("Current branch: main");
    expect(existsSync(canary)).toBe(false);
  });
});

test("git is given what it was built, with locks, prompts, fetching and translation off", async () => {
  await using directory = await tempDir();
  const built = await withFakeGit(directory.path, `env >> "${directory.path}/seen"`, "exit 1");
  await gitLines(directory.path, { environment: { ...built, LANGUAGE: "de", LC_ALL: "de_DE.UTF-8" } });
  const seen = new Set((await readFile(join(directory.path, "seen"), "utf8")).trim().split("\n"));
  // The shell that runs the script adds these of its own.
  const byTheShell = /^(PWD|OLDPWD|SHLVL|_)=/;
  const given = [...seen].filter((line) => !byTheShell.test(line));
  expect(given.sort()).toEqual([
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    `HOME=${built["HOME"]}`,
    "LANGUAGE=de",
    "LC_ALL=C",
    `PATH=${built["PATH"]}`,
  ]);
});
