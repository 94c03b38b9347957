import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Project, Session } from "@drover/core";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { drover, openRig, type Rig } from "./support.ts";

/** For tests that need no special settings. The first one expects that no project was added yet. */
const rig = sharedRig({});

const projectOf = ({ client }: Rig, { projectId }: Session) =>
  client.get<Project>(`/api/projects/${projectId}`);

test("the tour works in a separate project, and leaves the home directory alone", async () => {
  const tour = join(rig.home, ".drover", "tour");
  const { projects } = await rig.client.get<{ projects: Project[] }>("/api/projects");
  expect(projects).toMatchObject([{ path: tour, name: "Tour", trusted: false }]);

  const run = await drover(rig.home, "run", "demo", "tour", "--yes", "--name", "guide");
  expect(run.code).toBe(0);
  const guide = await rig.client.get<Session>("/api/sessions/guide");
  expect(guide).toMatchObject({ cwd: tour, projectId: projects[0]?.id });

  const later = join(rig.home, "work", "shop");
  await mkdir(later);
  const session = await rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: later });
  expect(await projectOf(rig, session)).toMatchObject({ path: later });
});

test("a session in the home directory has no project", async () => {
  const session = await rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: rig.home });
  expect(session.cwd).toBe(rig.home);
  expect(session.projectId).toBeUndefined();
});

test("the tour works where no root contains Drover's home", async () => {
  await using rig = await openRig((home) => ({ config: { server: { roots: [join(home, "work")] } } }));
  const run = await drover(rig.home, "run", "demo", "tour", "--yes", "--name", "guide");
  expect(run.code).toBe(0);
  const session = await rig.client.get<Session>("/api/sessions/guide");
  expect(session).toMatchObject({ cwd: join(rig.home, ".drover", "tour"), lastTurn: { ok: true } });
});

test("the home directory cannot be added as a project", async () => {
  expect(await rig.client.ask("POST", "/api/projects", { body: { path: rig.home } })).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "path" }] },
  });
});

test("drover projects shows and changes what applies to new sessions of a project", async () => {
  await using rig = await openRig();
  const work = join(rig.home, "work");
  const set = (...args: string[]) => drover(rig.home, "projects", "set", work, ...args);
  const settings = async () => {
    const { stdout } = await drover(rig.home, "projects", "--json");
    const { projects } = JSON.parse(stdout) as { projects: Project[] };
    const { setup, workspace } = projects.find(({ path }) => path === work) ?? {};
    return { setup, workspace };
  };
  expect((await set("--setup", "npm ci", "--setup", "sh -c 'a && b'", "--workspace", "worktree")).code).toBe(
    0,
  );
  const setup = [
    ["npm", "ci"],
    ["sh", "-c", "a && b"],
  ];
  expect(await settings()).toEqual({ setup, workspace: "worktree" });
  const listed = await drover(rig.home, "projects");
  expect(listed.stdout).toContain("npm ci; sh -c 'a && b'");
  expect((await set("--workspace", "default")).code).toBe(0);
  expect(await settings()).toEqual({ setup });
  expect((await set("--no-setup")).code).toBe(0);
  expect(await settings()).toEqual({ setup: [] });
  expect(await set("--setup", "npm ci && make")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("sh -c"),
  });
  expect((await set()).code).toBe(2);
  expect((await drover(rig.home, "projects", "set", "nowhere", "--no-setup")).code).toBe(5);
});
