import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { realPaths } from "../../src/engine/intake/real-paths.ts";
import { granted, Staged } from "./support.ts";

test("H4 input that changes while a person decides is shown, and approval of the earlier input is refused", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const { id } = await staged.create();
  const good = { command: "echo good" };
  const evil = { command: "echo EVIL" };
  const titles = { title: "Say something good", retitled: "Say something else" };
  await staged.send(id, JSON.stringify({ rawInput: good, changed: evil, ...titles }));
  const open = () => staged.service.interactions.list({ state: "open", sessionId: id });
  await expect.poll(async () => (await open()).map(({ input }) => input)).toEqual([evil]);
  const events = await staged.store.eventsOfTypes(id, { after: 0, seq: 1_000 }, ["approval_required"]);
  const [before, after] = events.map(({ data }) => JSON.parse(data));
  expect(before).toMatchObject({ title: titles.title, input: good, scopes: ["once", "session"] });
  expect(before).not.toHaveProperty("revision");
  const changed = { title: titles.retitled, input: evil, scopes: ["once"], revision: 2 };
  expect(after).toMatchObject({ id: before.id, ...changed });

  const approve = (inputHash: string) =>
    staged.service.interactions.approve(
      id,
      { toolCallId: "call-1", scope: "once", inputHash },
      { by: "api" },
    );
  expect(await approve(before.inputHash)).toMatchObject({ error: { code: "INPUT_CHANGED" } });
  expect(granted(await approve(after.inputHash))).toMatchObject({ resolution: "approved", input: evil });
  await staged.when(id, ({ turn }) => turn === undefined);
});

test("H4 a changed diff is shown, and approval of the earlier one is refused", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const { id } = await staged.create();
  const file = join(staged.directory, "a");
  const request = {
    kind: "edit",
    rawInput: { path: file },
    content: [{ type: "diff", path: file, newText: "good" }],
  };
  const shows = [{ type: "diff", path: join(staged.directory, ".git/hooks/x"), newText: "evil" }];
  await staged.send(id, JSON.stringify({ ...request, shows }));
  const open = () => staged.service.interactions.list({ state: "open", sessionId: id });
  await expect.poll(async () => (await open())[0]?.diffs).toMatchObject([{ newText: "evil" }]);
  const events = await staged.store.eventsOfTypes(id, { after: 0, seq: 1_000 }, ["approval_required"]);
  const [first] = events.map(({ data }) => JSON.parse(data));
  const approval = { toolCallId: "call-1", scope: "once", inputHash: first.inputHash } as const;
  expect(await staged.service.interactions.approve(id, approval, { by: "api" })).toMatchObject({
    error: { code: "INPUT_CHANGED" },
  });
});

test("H4 an agent that repeats its request changes nothing", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const { id } = await staged.create();
  const input = { command: "echo good" };
  await staged.send(id, JSON.stringify({ rawInput: input, changed: input }));
  await staged.when(id, ({ openInteractions }) => openInteractions === 1);
  const approval = { toolCallId: "call-1", scope: "once" } as const;
  granted(await staged.service.interactions.approve(id, approval, { by: "api" }));
  await staged.when(id, ({ turn }) => turn === undefined);
  expect((await staged.types(id)).filter((type) => type === "approval_required")).toHaveLength(1);
});

test("links are followed no matter how a path is written", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const hook = join(staged.directory, ".git", "hooks", "x");
  await symlink(hook, join(staged.directory, "link"));
  const address = String(pathToFileURL(join(staged.directory, "link")));
  const paths = ["link", " link ", address, join(staged.directory, "link")];
  const real = await realPaths(paths, staged.directory);
  expect(paths.map((path) => real?.get(path))).toEqual(paths.map(() => hook));
  expect((await realPaths(["~/a"], "/"))?.get("~/a")).toBe(join(homedir(), "a"));
});

test("H1 a path with .. after a link counts as inside .git if either way of resolving it leads there", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { directory } = staged;
  const git = join(directory, ".git");
  await mkdir(join(git, "hooks"), { recursive: true });
  await mkdir(join(directory, "docs"));
  await symlink("../.git/hooks", join(directory, "docs", "assets"));
  await symlink("docs", join(git, "out"));
  const target = async (path: string) => (await realPaths([path], directory))?.get(path);
  for (const path of ["docs/assets/../config", `${directory}/docs/./assets/..//config`]) {
    expect(await target(path)).toBe(join(git, "config"));
  }
  expect(await target(".git/out/../config")).toBe(join(git, "config"));
  expect(await target("docs/../a.txt")).toBe(join(directory, "a.txt"));
  expect(await target("missing/../docs/assets/x")).toBe(join(git, "hooks", "x"));
});

const directoryEdits = (directory: string) => [
  { path: directory, delete: true },
  { path: directory, type: "delete" },
  { changes: { [directory]: { type: "delete" } } },
  { changes: { sub: { type: "delete" } } },
  { patch: "*** Begin Patch\n*** Delete File: sub\n*** End Patch\n" },
  { patch: "*** Delete File: sub" },
  { directory: "sub", content: "" },
  { path: "*" },
];

test("an edit that names a directory, or a pattern, needs approval in mode acceptEdits", async () => {
  await using staged = await Staged.open({
    agent: "asks-permission",
    settings: { permissionMode: "acceptEdits" },
  });
  const directory = join(staged.directory, "sub");
  await mkdir(directory);
  await mkdir(join(staged.directory, "content"));
  await writeFile(join(directory, "[id].ts"), "");
  for (const rawInput of directoryEdits(directory)) {
    const { id } = await staged.create();
    await staged.send(id, JSON.stringify({ kind: "edit", rawInput }));
    const { openInteractions } = await staged.when(
      id,
      (state) => state.openInteractions === 1 || state.lastTurn !== undefined,
    );
    expect([rawInput, openInteractions]).toEqual([rawInput, 1]);
  }
  for (const rawInput of [
    { path: join(directory, "[id].ts"), content: "sub" },
    { cwd: directory, path: "a.ts", content: "x", type: "sub" },
    { changes: { "sub/a.ts": { type: "update", content: "x" } } },
  ]) {
    const { id } = await staged.create();
    await staged.send(id, JSON.stringify({ kind: "edit", rawInput }));
    await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  }
});

test("a session's approval of deletions covers no directory and no pattern", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const { id } = await staged.create();
  await writeFile(join(staged.directory, "a.txt"), "");
  await staged.send(id, JSON.stringify({ kind: "delete", rawInput: { path: "a.txt" } }));
  await staged.when(id, ({ openInteractions }) => openInteractions === 1);
  const approval = { toolCallId: "call-1", scope: "session" } as const;
  granted(await staged.service.interactions.approve(id, approval, { by: "api" }));
  await staged.when(id, ({ turn }) => turn === undefined);
  await staged.send(id, JSON.stringify({ kind: "delete", rawInput: { path: "*" } }));
  await staged.when(id, ({ openInteractions }) => openInteractions === 1);
});

test("an edit in a git directory of any name needs approval", async () => {
  await using staged = await Staged.open({
    agent: "asks-permission",
    settings: { permissionMode: "acceptEdits" },
  });
  const at = (...names: string[]) => join(staged.directory, ...names);
  for (const name of ["bare/objects", "bare/refs", "half/objects", "half/refs"])
    await mkdir(at(name), { recursive: true });
  await writeFile(at("bare", "HEAD"), "ref: refs/heads/main\n");
  for (const path of [at("bare", "config"), at("bare", "hooks", "x"), "bare/config", at("half", "HEAD")]) {
    const { id } = await staged.create();
    await staged.send(id, JSON.stringify({ kind: "edit", rawInput: { path, content: "x" } }));
    const { openInteractions } = await staged.when(
      id,
      (state) => state.openInteractions === 1 || state.lastTurn !== undefined,
    );
    expect([path, openInteractions]).toEqual([path, 1]);
  }
  const { id } = await staged.create();
  await staged.send(
    id,
    JSON.stringify({ kind: "edit", rawInput: { path: at("half", "config"), content: "x" } }),
  );
  await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
});

test("an edit of the configuration file needs approval in every permission mode, under any name", async () => {
  await using staged = await Staged.open({
    agent: "asks-permission",
    settings: { permissionMode: "acceptEdits" },
  });
  const target = join(staged.directory, "settings.yaml");
  await writeFile(target, "");
  await symlink(target, join(staged.directory, "drover.yaml"));
  const { id } = await staged.create();
  await staged.send(id, JSON.stringify({ kind: "edit", rawInput: { path: target, content: "x" } }));
  await staged.when(id, ({ openInteractions }) => openInteractions === 1);
  await using other = await Staged.open({
    agent: "asks-permission",
    settings: { permissionMode: "acceptEdits" },
  });
  const { id: free } = await other.create();
  await other.send(
    free,
    JSON.stringify({
      kind: "edit",
      rawInput: { path: join(other.directory, "settings.yaml"), content: "x" },
    }),
  );
  await other.when(free, ({ lastTurn }) => lastTurn?.ok === true);
});
