// The scratch repository of `drover demo` and `drover demo workers`.
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { gitEnvironment } from "../../src/config.ts";
import { makeDemoProject } from "../../src/workspace/demo-project.ts";

const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

test("a demo that starts over has its first files again, and keeps what a person has changed in its history", async () => {
  await using dir = await tempDir();
  const top = join(dir.path, "demo");
  const place = { environment: gitEnvironment(), scratch: join(dir.path, "scratch") };
  const again = () => makeDemoProject(top, place, { anew: ["CHANGES.md"] });
  const git = gitIn(dir.path);
  await again();
  await again();
  expect(git("-C", top, "log", "--format=%s")).toBe("Start");
  await writeFile(join(top, "CHANGES.md"), "mine\n");
  await writeFile(join(top, "README.md"), "mine\n");
  await makeDemoProject(top, place);
  expect(await readFile(join(top, "README.md"), "utf8")).toBe("mine\n");
  await again();
  expect(git("-C", top, "log", "--format=%an %s").split("\n")).toEqual([
    ...["Drover Demo Start over", "Drover Demo Keep what has changed", "Drover Demo Start"],
  ]);
  expect(git("-C", top, "diff", "--stat", "HEAD", "HEAD~2")).toBe("");
  expect(git("-C", top, "status", "--porcelain")).toBe("");
  expect(git("-C", top, "show", "HEAD~:CHANGES.md")).toBe("mine");
});

test("another repository does not start over", async () => {
  await using dir = await tempDir();
  const git = gitIn(dir.path);
  git("init", "-q");
  await writeFile(join(dir.path, "README.md"), "mine\n");
  const place = { environment: gitEnvironment(), scratch: join(dir.path, "scratch") };
  await expect(makeDemoProject(dir.path, place, { anew: ["README.md"] })).rejects.toThrow(
    "another repository",
  );
  expect(await readFile(join(dir.path, "README.md"), "utf8")).toBe("mine\n");
});
