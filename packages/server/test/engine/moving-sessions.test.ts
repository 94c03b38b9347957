import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import type { OpenRequest } from "../../src/ports.ts";
import { granted, type Stage, Staged } from "./support.ts";

/** Creates directories below a stage's home. */
async function directoriesIn(home: string, ...names: string[]): Promise<string[]> {
  const paths = names.map((name) => join(home, name));
  for (const path of paths) await mkdir(path, { recursive: true });
  return paths;
}

const add = async ({ service }: Staged, path: string) => granted(await service.projects.add({ path }));

test("adding a project moves the sessions below it, and only those", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const [outer = "", inner = "", deep = "", beside = ""] = await directoriesIn(
    staged.directory,
    ...["a", "a/b", "a/b/c", "a/beside"],
  );
  const { id: outerId } = await add(staged, outer);
  const [moved, kept] = [await staged.create(deep), await staged.create(beside)];
  expect([moved.projectId, kept.projectId]).toEqual([outerId, outerId]);
  const { last } = staged.service.feed;

  const { id } = await add(staged, inner);
  expect(await staged.get(moved.id)).toMatchObject({ projectId: id, updatedAt: moved.updatedAt });
  expect(await staged.get(kept.id)).toMatchObject({ projectId: outerId });
  expect((await staged.store.session(moved.id))?.about.projectId).toBe(id);
  await until(
    async () => {
      const news = (await staged.service.feed.after(last)).map(({ data }) => JSON.parse(data));
      return news.some(({ type, session }) => type === "session_upserted" && session.projectId === id);
    },
    { what: "the move is announced" },
  );
});

test("a session whose project was removed is moved when a project is added for its directory again", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const session = await staged.create();
  granted(await staged.service.projects.remove(session.projectId ?? ""));
  const { id } = await add(staged, staged.directory);
  expect(await staged.get(session.id)).toMatchObject({ projectId: id });
});

test("a server that stopped before it had moved the sessions moves them when it restarts", async () => {
  await using home = await tempDir();
  const [outer = "", inner = ""] = await directoriesIn(home.path, "a", "a/b");
  const stage: Stage = { agent: "echo", home };
  const first = await Staged.open(stage);
  await first.engine.recover();
  await add(first, outer);
  const { id: sessionId } = await first.create(inner);
  await first.store.saveProject({
    ...{ id: "prj_inner", path: inner, name: "b", trusted: false, env: {} },
    setup: [],
  });
  await first.close();

  await using second = await Staged.open(stage);
  await second.engine.recover();
  await second.when(sessionId, ({ projectId }) => projectId === "prj_inner");
});

test("a session loses its project's trust and variables when its directory becomes another repository", async () => {
  let clone: string | undefined;
  const opened: OpenRequest["trusted"][] = [];
  await using staged = await Staged.open({
    agent: "echo",
    directories: { repositoryTop: async (path) => (path === clone ? clone : undefined) },
    onOpen: (request) => opened.push(request.trusted),
  });
  const [inner = ""] = await directoriesIn(staged.directory, "inner");
  const { id } = await add(staged, staged.directory);
  granted(await staged.service.projects.patch(id, { trusted: true }));
  const before = await staged.create(inner);
  await staged.send(before.id, "one");
  await staged.when(before.id, ({ lastTurn }) => lastTurn !== undefined);
  expect(before.projectId).toBe(id);

  clone = inner;
  granted(await staged.service.sessions.stop(before.id));
  await staged.when(before.id, ({ state }) => state === "stopped");
  await staged.send(before.id, "two");
  const after = await staged.when(before.id, ({ projectId }) => projectId !== id);
  const projects = await staged.service.projects.list();
  expect(projects.find((project) => project.id === after.projectId)).toMatchObject({
    path: inner,
    trusted: false,
  });
  await until(() => opened.length === 2, { what: "the agent is started again" });
  expect(opened).toEqual([true, false]);
});

test("the home directory is never a project, and one created by an earlier version holds no sessions", async () => {
  await using home = await tempDir();
  const [inner = ""] = await directoriesIn(home.path, "inner");
  const stage: Stage = {
    agent: "echo",
    home,
    directories: { isHomeOrAbove: async (path) => home.path.startsWith(path) },
  };
  const old = await Staged.open({ agent: "echo", home });
  await old.engine.recover();
  const { id: homeId } = await add(old, home.path);
  const filed = await old.create(inner);
  expect(filed.projectId).toBe(homeId);
  await old.close();

  await using staged = await Staged.open(stage);
  await staged.engine.recover();
  const moved = await staged.when(filed.id, ({ projectId }) => projectId !== homeId);
  const projects = await staged.service.projects.list();
  expect(projects.find(({ id }) => id === moved.projectId)).toMatchObject({ path: inner });
  expect((await staged.create(home.path)).projectId).toBeUndefined();
  expect(await staged.service.projects.add({ path: home.path })).toMatchObject({
    ok: false,
    error: { code: "BAD_REQUEST", facts: { issues: [{ path: "path" }] } },
  });
});
