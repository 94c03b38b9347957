import type { DeletedSession, SessionEvent, WorktreeList } from "@drover/core";
import { expect, test } from "vitest";
import type { Page } from "../page-server.ts";

export function worktreesContract(current: () => Page): void {
  test("a directory says whether it is in a repository, and where its sessions work", async () => {
    const { ask, server } = current();
    const at = (cwd: string) => `/api/directories/workspace?${new URLSearchParams({ cwd })}`;
    expect(await ask("GET", at(server.directory))).toEqual({ workspace: "local" });
    expect(await ask("GET", at(server.repository))).toEqual({
      repository: server.repository,
      workspace: "local",
    });
  });

  test("a worktree has its own branch, is deleted only with a copy of its files, and is restored from it", async () => {
    const page = current();
    const { server, ask, http, request, send, socket } = page;
    const wanted = {
      cwd: server.repository,
      workspace: "worktree",
      permissionMode: "never",
      name: "calm-otter",
    };
    const session = await page.newSession(wanted);
    const { workspace } = session;
    expect(workspace).toMatchObject({
      mode: "worktree",
      branch: "drover/calm-otter",
      projectDir: server.repository,
      base: { ref: expect.any(String), commit: expect.any(String) },
    });
    const refused = async (fields: object) =>
      await socket.request("session:create", { agent: "demo", ...fields });
    expect(await refused({ ...wanted, cwd: server.directory, name: "nowhere" })).toMatchObject({
      code: "WORKSPACE_FAILED",
      reason: "no_repository",
      command: expect.any(String),
    });

    await request("session:open", { sessionId: session.id });
    await send(session, "write mine.txt mine");
    await socket.until(({ event }) => {
      const { type, sessionId } = (event ?? {}) as SessionEvent;
      return type === "turn_changes" && sessionId === session.id;
    });
    const listed = async () => {
      const { workspaces } = await ask<WorktreeList>("GET", "/api/workspaces");
      return workspaces.find(({ path }) => path === workspace.path);
    };
    const facts = {
      session: { id: session.id, name: session.name },
      dirty: 1,
      orphaned: false,
      merged: false,
    };
    expect(await listed()).toMatchObject(facts);

    const at = `/api/sessions/${session.id}`;
    expect(await http.ask("DELETE", at)).toMatchObject({
      status: 409,
      body: { code: "WORKSPACE_DIRTY", files: ["mine.txt"] },
    });
    const { kept } = await ask<DeletedSession>("DELETE", `${at}?force=1`);
    const ref = kept?.ref ?? "";
    expect(ref).toMatch(/^refs\/drover\/kept\/calm-otter\//);
    expect(await listed()).toBeUndefined();
    const keptRefs = async () =>
      (await ask<WorktreeList>("GET", "/api/workspaces")).kept.map((work) => work.ref);
    expect(await keptRefs()).toEqual([ref]);

    const repository = server.repository;
    const restored = await ask("POST", "/api/workspaces/restore", { ref, repository });
    expect(restored).toEqual({ path: workspace.path, repository, branch: workspace.branch, ref });
    expect(await keptRefs()).toEqual([]);
    expect(await listed()).toMatchObject({ orphaned: true, dirty: 1 });
    const { path } = workspace;
    expect(await http.ask("POST", "/api/workspaces/rm", { body: { path } })).toMatchObject({
      status: 409,
      body: { code: "WORKSPACE_DIRTY", files: ["mine.txt"] },
    });
    expect(await ask("POST", "/api/workspaces/rm", { path, force: true })).toMatchObject({ deleted: true });
    expect(await listed()).toBeUndefined();
  });

  test("a branch that a deleted session left is refused, and continued if asked for", async () => {
    const page = current();
    const { server, ask, socket, request, send } = page;
    const wanted = {
      cwd: server.repository,
      workspace: "worktree",
      permissionMode: "never",
      name: "left-behind",
    };
    const first = await page.newSession(wanted);
    await request("session:open", { sessionId: first.id });
    await send(first, "write mine.txt mine");
    await socket.until(({ event }) => {
      const { type, sessionId } = (event ?? {}) as SessionEvent;
      return type === "turn_changes" && sessionId === first.id;
    });
    await ask("POST", `/api/sessions/${first.id}/commit`, { message: "Mine" });
    await ask("DELETE", `/api/sessions/${first.id}`);
    const taken = await socket.request("session:create", { agent: "demo", ...wanted });
    expect(taken).toMatchObject({ type: "error", code: "NAME_TAKEN", branch: "drover/left-behind" });
    const { workspace } = await page.newSession({ ...wanted, reattach: true });
    expect(workspace).toMatchObject({ branch: "drover/left-behind" });
  });
}
