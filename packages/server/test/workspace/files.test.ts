import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { git, repository, write } from "../context/support.ts";
import { deps, placeAt } from "./support.ts";

async function find(path: string, query = "", { limit = 50, workspace = comparison(deps) } = {}) {
  const found = await workspace.files(placeAt(path), { query, limit });
  if (!found.ok) throw new Error(found.error.message);
  return found.value.files.map((file) => file.path);
}

describe("the files of a workspace", () => {
  test("are tracked and new files, without ignored and deleted ones", async () => {
    await using directory = await repository();
    await write(directory.path, {
      ".gitignore": "*.log\n",
      "noise.log": "",
      "src/app.ts": "",
      "gone.txt": "",
    });
    await git(directory.path, "add", ".");
    await rm(join(directory.path, "gone.txt"));
    await write(directory.path, { "src/new file.ts": "" });
    expect((await find(directory.path)).sort()).toEqual([
      ".gitignore",
      "src/app.ts",
      "src/new file.ts",
      "tracked.txt",
    ]);
  });

  test("are only those below the directory, with paths relative to it", async () => {
    await using directory = await repository();
    await write(directory.path, { "a/one.ts": "", "b/two.ts": "" });
    expect(await find(join(directory.path, "a"))).toEqual(["one.ts"]);
  });

  test("are matched by part of their name first, then by their directory, then by scattered letters", async () => {
    await using directory = await repository();
    await write(directory.path, { "app/x.ts": "", "src/app.ts": "", "a/p/p.ts": "", "zzz.ts": "" });
    expect(await find(directory.path, "app")).toEqual(["src/app.ts", "app/x.ts", "a/p/p.ts"]);
    expect(await find(directory.path, "app", { limit: 1 })).toEqual(["src/app.ts"]);
  });

  test("whose names can't be typed are left out", async () => {
    await using directory = await repository();
    await write(directory.path, { "two\nlines.txt": "", "Zürich 東京.txt": "" });
    const bytes = Buffer.concat([Buffer.from(`${directory.path}/caf`), Buffer.from([0xe9])]);
    await writeFile(bytes, "");
    expect((await find(directory.path)).sort()).toEqual(["Zürich 東京.txt", "tracked.txt"].sort());
    // The same without git.
    await rm(join(directory.path, ".git"), { recursive: true });
    expect((await find(directory.path)).sort()).toEqual(["Zürich 東京.txt", "tracked.txt"].sort());
  });

  test("outside a repository are walked, nearest first, without following links", async () => {
    await using directory = await tempDir();
    await using elsewhere = await tempDir();
    await write(elsewhere.path, { "secret.txt": "" });
    await write(directory.path, { "deep/er/file.txt": "", "top.txt": "", ".cache/x": "" });
    await mkdir(join(directory.path, "node_modules"));
    await symlink(elsewhere.path, join(directory.path, "link"));
    await symlink(directory.path, join(directory.path, "deep", "loop"));
    execFileSync("mkfifo", [join(directory.path, "pipe")]);
    expect(await find(directory.path)).toEqual(["top.txt", "deep/er/file.txt"]);
  });

  test("a broken repository is walked like any other directory", async () => {
    await using directory = await repository();
    await writeFile(join(directory.path, ".git/HEAD"), "nonsense\n");
    expect(await find(directory.path)).toEqual(["tracked.txt"]);
  });

  test("are listed once for several keystrokes in a row", async () => {
    await using directory = await repository();
    const workspace = comparison(deps);
    expect(await find(directory.path, "", { workspace })).toEqual(["tracked.txt"]);
    await write(directory.path, { "new.txt": "" });
    expect(await find(directory.path, "n", { workspace })).toEqual([]);
    expect(await find(directory.path, "n")).toEqual(["new.txt"]);
  });

  test("cannot be listed if the directory is gone", async () => {
    await using directory = await tempDir();
    const found = await comparison(deps).files(placeAt(join(directory.path, "gone")), {
      query: "",
      limit: 1,
    });
    expect(found).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  });
});
