// What a session's working copy looks like, and how the server is set up, over HTTP.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigReport, DoctorReport, Session, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { repositoryAt } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, openRig, openSession } from "./support.ts";

/** For tests that need no special settings. */
const shared = sharedRig({});

test("an agent's changes are listed and shown as a diff as soon as it is done", async () => {
  const rig = shared;
  const cwd = join(rig.home, "repository");
  await mkdir(cwd);
  await repositoryAt(cwd);
  await using session = await openSession(rig, "demo", { permissionMode: "never", cwd });
  await session.turn("write kept.txt two\nwrite new file.txt hello");
  const changes = await rig.client.get<WorkspaceChanges>(session.path("/workspace"));
  expect(changes).toMatchObject({ mode: "local", path: cwd, branch: "main" });
  expect(changes.files.map(({ path, status }) => `${status} ${path}`)).toContain("modified kept.txt");
  const diff = await rig.client.ask<string>("GET", session.path("/diff?path=kept.txt"));
  expect(diff.headers.get("content-type")).toBe("text/x-diff; charset=utf-8");
  expect(diff.body).toMatch(/^diff --git a\/kept\.txt b\/kept\.txt\n/);
  expect(diff.body).toContain("-one\n+two");
  const piped = await drover(rig.home, "diff", session.id, "--path", "kept.txt");
  expect(piped).toEqual({ code: 0, stdout: diff.body, stderr: "" });
  expect((await drover(rig.home, "diff", session.id, "--stat")).stdout).toMatch(
    /^modified +\+1 -1 +kept\.txt$/m,
  );
  const head = await rig.client.ask<string>("HEAD", session.path("/diff"));
  expect([head.status, head.body]).toEqual([200, ""]);
});

test("paths outside the workspace are refused, and without a repository there is no diff and no list of changes", async () => {
  const rig = shared;
  await using session = await openSession(rig, "demo");
  const refusals = [
    ["/diff?path=../token", 403, { code: "OUTSIDE_BOUNDARY" }],
    ["/diff?path=%2Fetc%2Fpasswd", 403, { code: "OUTSIDE_BOUNDARY" }],
    ["/diff?path=a%00b", 403, { code: "NULL_BYTE" }],
    ["/diff", 400, { code: "UNSUPPORTED", what: "diff" }],
  ] as const;
  for (const [path, status, body] of refusals) {
    expect(await rig.client.ask("GET", session.path(path))).toMatchObject({ status, body });
  }
  const changes = await rig.client.get<WorkspaceChanges>(session.path("/workspace"));
  expect(changes).toEqual({ mode: "local", path: join(rig.home, "work"), versioned: false, files: [] });
  expect(await rig.client.ask("GET", "/api/sessions/no-such-one/workspace")).toMatchObject({ status: 404 });
});

test("a request whose git hangs is answered within the timeout, and the server stays responsive", async () => {
  await using rig = await openRig((home) => ({
    config: { git: { timeout: "500ms" } },
    env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}` },
  }));
  await mkdir(join(rig.home, "bin"));
  await writeFile(join(rig.home, "bin", "git"), "#!/bin/sh\nsleep 1000\n");
  await chmod(join(rig.home, "bin", "git"), 0o755);
  await repositoryAt(join(rig.home, "work"));
  await using session = await openSession(rig, "demo");
  const [workspace, diff, health] = await Promise.all([
    rig.client.ask("GET", session.path("/workspace")),
    rig.client.ask("GET", session.path("/diff")),
    rig.client.ask("GET", "/api/health"),
  ]);
  const refused = { status: 408, body: { code: "REQUEST_TIMEOUT", limitMs: 500 } };
  expect([workspace, diff]).toMatchObject([refused, refused]);
  expect(health.status).toBe(200);
});

test("configuration and doctor report the same over HTTP as on the command line", async () => {
  const secret = "sk-made-up-secret";
  await using rig = await openRig({
    agents: { mine: { driver: "acp", command: "no-such-program", env: { KEY: secret } } },
    config: { git: { timeout: "4s" } },
    env: { DROVER__SESSIONS__QUEUEMAX: "7" },
  });
  const config = await rig.client.get<ConfigReport>("/api/config");
  expect(config.settings["git.timeout"]).toMatchObject({
    value: 4000,
    from: "file",
    unit: "ms",
    fallback: 5000,
  });
  expect(config.settings["git.timeout"]?.source).toMatch(/drover\.yaml:\d+$/);
  expect(config.settings["sessions.queueMax"]).toMatchObject({
    value: 7,
    from: "environment",
    source: "DROVER__SESSIONS__QUEUEMAX",
  });
  expect(config.settings["server.port"]).toMatchObject({ from: "command line", source: "--port" });
  expect(config.agents.find(({ agent }) => agent === "mine")?.env).toEqual(["KEY"]);
  expect(JSON.stringify(config)).not.toContain(secret);
  expect(JSON.stringify(config)).not.toContain(rig.server.token);

  const report = await rig.client.get<DoctorReport>("/api/doctor");
  const said = JSON.parse((await drover(rig.home, "doctor", "--json")).stdout) as DoctorReport;
  // The server and the command line describe the server differently, and sizes and free space change.
  const steady = ({ findings }: DoctorReport) =>
    findings.filter(({ check }) => !["server", "usage", "disk", "database"].includes(check));
  expect(steady(report)).toEqual(steady(said));
  expect(report.findings.map(({ check }) => check)).toEqual(said.findings.map(({ check }) => check));
  const missing = report.findings.find(({ check }) => check === "agent mine");
  expect(missing).toMatchObject({ status: "note", message: "no-such-program is not installed" });
  expect(missing?.remedy).toContain("agents.mine.command");
});

test("a project must be an existing directory", async () => {
  const rig = shared;
  const path = join(rig.home, "work", "nowhere");
  const add = () => rig.client.ask("POST", "/api/projects", { body: { path } });
  expect(await add()).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "path", message: expect.stringContaining("create it") }] },
  });
  await mkdir(path);
  expect(await add()).toMatchObject({ status: 201, body: { path, trusted: false } });
});

test("a directory is one project however many sessions use it at once, and none of its changes is lost", async () => {
  const rig = shared;
  const [used, added] = ["used", "added"].map((name) => join(rig.home, "work", name));
  if (!used || !added) throw new Error("two directories");
  await Promise.all([mkdir(used), mkdir(added)]);
  const numbers = Array.from({ length: 10 }, (_, n) => n);
  const sessions = await Promise.all(
    numbers.map(() => rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: used })),
  );
  expect(new Set(sessions.map(({ projectId }) => projectId)).size).toBe(1);
  const projects = await Promise.all(
    numbers.map(() => rig.client.post<{ id: string }>("/api/projects", { path: added })),
  );
  expect(new Set(projects.map(({ id }) => id)).size).toBe(1);
  const path = `/api/projects/${projects[0]?.id}`;
  await Promise.all(numbers.map((n) => rig.client.patch(path, { env: { [`V${n}`]: "x" } })));
  expect((await rig.client.get<{ env: string[] }>(path)).env.sort()).toEqual(numbers.map((n) => `V${n}`));
});

test("a project that was created on first use takes the name it is later added with, and keeps its id", async () => {
  const rig = shared;
  const path = join(rig.home, "first");
  await mkdir(path);
  const { projectId } = await rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: path });
  const project = { id: projectId, path, trusted: false, env: [], setup: [] };
  expect(await rig.client.get(`/api/projects/${projectId}`)).toEqual({ ...project, name: "first" });
  const named = { ...project, name: "The first" };
  expect(await rig.client.post("/api/projects", { path, name: "The first" })).toEqual(named);
  expect(await rig.client.post("/api/projects", { path })).toEqual(named);
  expect(await rig.client.get(`/api/projects/${projectId}`)).toEqual(named);
});

test("a configured workspace that is not supported yet is refused, never replaced by the directory itself", async () => {
  await using rig = await openRig({ config: { sessions: { workspace: "container" } } });
  const cwd = join(rig.home, "work");
  const refused = await rig.client.ask("POST", "/api/sessions", { body: { agent: "demo", cwd } });
  expect(refused).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what: "container" } });
  const local = { agent: "demo", cwd, workspace: "local" };
  expect(await rig.client.ask("POST", "/api/sessions", { body: local })).toMatchObject({ status: 201 });
});
