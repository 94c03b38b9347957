import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treat } from "./mode-support.ts";
import { Staged } from "./support.ts";

test("H4 acceptEdits covers the session's own files only", async () => {
  const settings = { permissionMode: "acceptEdits" } as const;
  await using staged = await Staged.open({ agent: "asks-permission", settings });
  const at = (...names: string[]) => join(staged.directory, ...names);
  await mkdir(at("work"));
  await symlink("/tmp", at("work", "link"));
  const edit = (path: string) => ({ kind: "edit", rawInput: { file_path: path, content: "x" } });
  for (const path of ["new.txt", at("work", "deep", "new.txt"), "./a/../b.txt", "a~$b", "[id].ts"]) {
    expect([path, await treat(staged, edit(path), at("work"))]).toEqual([path, "runs"]);
  }
  const outside = [
    "../other.txt",
    at("other.txt"),
    "/etc/motd",
    "~/.bashrc",
    "~root/x",
    "$HOME/x",
    "%2e%2e/x",
    "sub/$HOME/x",
    "{../a,b}",
    "[.][.]/x",
    "link/x",
    "link/../x",
  ];
  for (const path of outside) {
    expect([path, await treat(staged, edit(path), at("work"))]).toEqual([path, "asks"]);
  }
  const located = { ...edit("new.txt"), locations: [{ path: "/etc/motd" }] };
  expect(await treat(staged, located, at("work"))).toBe("asks");
});

test("H4 no mode covers an edit of a path that a tool may expand to one below .git, or to drover.yaml", async () => {
  const settings = { permissionMode: "never" } as const;
  await using staged = await Staged.open({ agent: "asks-permission", settings });
  const edit = (path: string) => ({ kind: "edit", rawInput: { file_path: path, content: "x" } });
  for (const path of [".gi[t]/config", ".g{it,x}/config", ".g$X/hooks/x", "'.git'/config", "drover.y[a]ml"])
    expect([path, await treat(staged, edit(path))]).toEqual([path, "asks"]);
  expect(await treat(staged, edit("app/[id]/page.ts"))).toBe("runs");
});

test("acceptEdits covers the whole repository that a session's directory is in", async () => {
  const settings = { permissionMode: "acceptEdits" } as const;
  const directories = { repositoryTop: async (cwd: string) => join(cwd, "..") };
  await using staged = await Staged.open({ agent: "asks-permission", settings, directories });
  const package_ = join(staged.directory, "package");
  await mkdir(package_);
  const edit = { kind: "edit", rawInput: { file_path: "../README.md", content: "x" } };
  expect(await treat(staged, edit, package_)).toBe("runs");
});
