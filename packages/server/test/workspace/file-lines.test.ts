import { execFile } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { FileRange } from "@drover/core";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { commit, repository, write } from "../context/support.ts";
import { deps, placeAt } from "./support.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

const ask = (directory: string, query: Partial<FileRange>) =>
  comparison(deps).fileLines(placeAt(directory), {
    path: "a.txt",
    side: "before",
    from: 1,
    to: 1000,
    ...query,
  });

async function linesOf(directory: string, query: Partial<FileRange>) {
  const found = await ask(directory, query);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value;
}

async function refusalOf(directory: string, query: Partial<FileRange>) {
  const found = await ask(directory, query);
  if (found.ok) throw new Error("The lines were not refused");
  return [found.error.code, found.error.facts?.["what"]];
}

describe("the lines of a changed file", () => {
  test("come from the last commit or the working copy, as many as requested", async () => {
    await using directory = await repository();
    const { path } = directory;
    await commit(path, { "a.txt": numbered(30) });
    await write(path, { "a.txt": `new\n${numbered(30)}no newline` });
    const some = { from: 10, to: 12 };
    expect(await linesOf(path, some)).toEqual({
      ...{ path: "a.txt", side: "before", from: 10, total: 30 },
      lines: ["line 10", "line 11", "line 12"],
    });
    expect(await linesOf(path, { ...some, side: "after" })).toMatchObject({
      total: 32,
      lines: ["line 9", "line 10", "line 11"],
    });
    expect(await linesOf(path, { from: 30, to: 40 })).toMatchObject({ lines: ["line 30"] });
    expect(await linesOf(path, { from: 31, to: 40 })).toMatchObject({ lines: [], total: 30 });
    expect(await linesOf(path, { path: join(path, "a.txt"), to: 1 })).toMatchObject({ path: "a.txt" });
  });

  test("are found under a renamed file's old name, and in part of a repository", async () => {
    await using directory = await repository();
    const part = join(directory.path, "part");
    await mkdir(part);
    await commit(directory.path, { "part/ä b.txt": numbered(20) });
    await rename(join(part, "ä b.txt"), join(part, "c.txt"));
    expect(await linesOf(part, { path: "c.txt", to: 1 })).toMatchObject({ lines: ["line 1"], total: 20 });
    expect(await linesOf(part, { path: "c.txt", side: "after" })).toMatchObject({ total: 20 });
  });

  test("are text, with replacement characters for bytes that are not UTF-8", async () => {
    await using directory = await repository();
    await writeFile(join(directory.path, "a.txt"), Buffer.from("caf\xe9\nand\r\n", "latin1"));
    const after = { side: "after", path: "a.txt" } as const;
    expect(await linesOf(directory.path, after)).toMatchObject({ lines: ["caf\ufffd", "and\r"] });
    await writeFile(join(directory.path, "a.txt"), "");
    expect(await linesOf(directory.path, after)).toMatchObject({ lines: [], total: 0 });
  });

  test("are refused if the file is unchanged, missing on that side, or outside the workspace", async () => {
    await using directory = await repository();
    const { path } = directory;
    await commit(path, { "gone.txt": "g\n", "same.txt": "s\n" });
    await rm(join(path, "gone.txt"));
    await write(path, { "new.txt": "n\n", ".gitignore": "secret\n", secret: "s\n" });
    const missing = ["NOT_FOUND", "file"];
    expect(await refusalOf(path, { path: "gone.txt", side: "after" })).toEqual(missing);
    expect(await refusalOf(path, { path: "new.txt" })).toEqual(missing);
    expect(await refusalOf(path, { path: "same.txt", side: "after" })).toEqual(missing);
    expect(await refusalOf(path, { path: "secret", side: "after" })).toEqual(missing);
    expect(await refusalOf(path, { path: ".git/config", side: "after" })).toEqual(missing);
    expect((await refusalOf(path, { path: "../other", side: "after" }))[0]).toBe("OUTSIDE_BOUNDARY");
    await using elsewhere = await tempDir();
    expect(await refusalOf(elsewhere.path, {})).toEqual(["UNSUPPORTED", "diff"]);
  });

  test("are refused for binary and large files", async () => {
    await using directory = await repository();
    const { path } = directory;
    const content = "x".repeat(9 * 1024 * 1024);
    await commit(path, { "binary.bin": "a\0b\n", "large.txt": content });
    await write(path, { "binary.bin": "a\0c\n", "large.txt": `${content}!` });
    for (const side of ["before", "after"] as const) {
      expect(await refusalOf(path, { path: "binary.bin", side })).toEqual(["UNSUPPORTED", "binary file"]);
      expect(await refusalOf(path, { path: "large.txt", side })).toEqual(["UNSUPPORTED", "large file"]);
    }
  });

  test("never come from another file that a link leads to", async () => {
    await using directory = await repository();
    await using elsewhere = await tempDir();
    const { path } = directory;
    await write(elsewhere.path, { "a.txt": "secret\n" });
    await mkdir(join(path, "in"));
    await commit(path, { "in/a.txt": "a\n", "a.txt": "a\n" });
    await rm(join(path, "a.txt"));
    await symlink(join(elsewhere.path, "a.txt"), join(path, "a.txt"));
    expect(await refusalOf(path, { side: "after" })).toEqual(["UNSUPPORTED", "special file"]);
    await rm(join(path, "in"), { recursive: true });
    await symlink(elsewhere.path, join(path, "in"));
    expect((await refusalOf(path, { path: "in/a.txt", side: "after" }))[0]).toBe("OUTSIDE_BOUNDARY");
    await rm(join(path, "a.txt"));
    await promisify(execFile)("mkfifo", [join(path, "a.txt")]);
    expect(["NOT_FOUND", "UNSUPPORTED"]).toContain((await refusalOf(path, { side: "after" }))[0]);
  });

  test("are read without running programs the repository has planted", async () => {
    await using directory = await repository();
    const { path } = directory;
    await mkdir(join(path, "bin"));
    const program = join(path, "bin", "planted");
    await writeFile(program, `#!/bin/sh\necho ran >> ${join(path, "ran.log")}\ncat\n`);
    await chmod(program, 0o755);
    await commit(path, { "a.txt": "a\n", ".gitattributes": "*.txt diff=x filter=x text eol=crlf\n" });
    await write(path, { "a.txt": "b\n" });
    const settings = `[diff "x"]\n\ttextconv = ${program}\n\tcommand = ${program}\n[filter "x"]\n\tsmudge = ${program}\n\tclean = ${program}\n`;
    await writeFile(join(path, ".git", "config"), settings, { flag: "a" });
    expect(await linesOf(path, {})).toMatchObject({ lines: ["a"] });
    expect(await linesOf(path, { side: "after" })).toMatchObject({ lines: ["b"] });
    expect(await refusalOf(path, { path: "ran.log", side: "after" })).toEqual(["NOT_FOUND", "file"]);
  });
});
