import { mkdir, realpath, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treat } from "./mode-support.ts";
import { granted, Staged } from "./support.ts";

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

test("acceptEdits covers no other session's worktree, no settings in the home directory, and nothing of Drover's", async () => {
  const settings = { permissionMode: "acceptEdits" } as const;
  const home = await realpath(homedir());
  const directories = { isHomeOrAbove: async (path: string) => path === home };
  await using staged = await Staged.open({ agent: "asks-permission", settings, directories });
  const work = join(staged.directory, "work");
  await mkdir(work);
  const edit = (path: string) => ({ kind: "edit", rawInput: { file_path: path, content: "x" } });
  const treated = async (cwd: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => [path, await treat(staged, edit(path), cwd)]));
  const all = (paths: readonly string[], how: "asks" | "runs") => paths.map((path) => [path, how]);
  const others = [".drover-worktrees/fox/a.ts", ".drover-worktrees/fox/.drover/output/signal.json"];
  expect(await treated(work, others)).toEqual(all(others, "asks"));
  const hidden = [".gitconfig", ".config/git/config", ".ssh/config", ".local/bin/git", ".bashrc"];
  expect(await treated(home, hidden)).toEqual(all(hidden, "asks"));
  expect(await treated(home, ["notes.txt", "work/.env"])).toEqual(all(["notes.txt", "work/.env"], "runs"));
  const drovers = [".drover/agents/x.js", ".drover/token"];
  expect(await treated(staged.directory, drovers)).toEqual(all(drovers, "asks"));
});

test("an approval of edits for the session covers the session's own files only", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const work = join(staged.directory, "work");
  await mkdir(work);
  const { id } = await staged.create(work);
  const ask = async (path: string) => {
    await staged.send(id, JSON.stringify({ kind: "edit", rawInput: { file_path: path, content: "x" } }));
    const { turn } = await staged.when(id, (now) => !now.turn || now.openInteractions === 1);
    return turn ? "asks" : "runs";
  };
  expect(await ask("a.ts")).toBe("asks");
  granted(
    await staged.service.interactions.approve(id, { toolCallId: "call-1", scope: "session" }, { by: "api" }),
  );
  await staged.when(id, ({ turn }) => turn === undefined);
  expect(await ask("b.ts")).toBe("runs");
  expect(await ask("../b.ts")).toBe("asks");
  const open = await staged.service.interactions.list({ state: "open" });
  expect(open).toMatchObject([{ scopes: ["once"] }]);
});
