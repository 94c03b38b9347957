import type { Project } from "@drover/core";
import { expect, test } from "vitest";
import type { Page } from "../page-server.ts";

const notFound = (what: string) => ({
  status: 404,
  body: { code: "NOT_FOUND", what, error: expect.stringMatching(/\w/) },
});

export function listsContract(current: () => Page): void {
  test("agents, settings, logins, the setup and the inbox answer as declared", async () => {
    const { ask } = current();
    const { agents } = await ask<{ agents: { agent: string }[] }>("GET", "/api/agents");
    expect(agents.map(({ agent }) => agent)).toContain("demo");
    await ask("GET", "/api/config");
    await ask("GET", "/api/doctor");
    await ask("GET", "/api/logins");
    for (const state of ["open", "expired", "resolved", "all"])
      await ask("GET", `/api/interactions?state=${state}`);
  });

  test("a project is added, changed and removed", async () => {
    const { ask, http, request, server } = current();
    const path = server.directory;
    const added = await ask<Project>("POST", "/api/projects", { path });
    expect(added).toMatchObject({ path, trusted: false, env: [], setup: [] });
    const at = `/api/projects/${added.id}`;
    await ask("PATCH", at, { env: { TOKEN: "secret", OTHER: "x" } });
    const settings = { setup: [["npm", "ci"]], workspace: "worktree" };
    const changes = { name: "Engine", trusted: true, env: { OTHER: null }, ...settings };
    const changed = { id: added.id, path, name: "Engine", trusted: true, env: ["TOKEN"], ...settings };
    expect(await ask("PATCH", at, changes)).toEqual(changed);
    expect((await request("project:list"))["projects"]).toContainEqual(changed);
    await ask("DELETE", at);
    expect(await http.ask("PATCH", at, { body: { name: "Gone" } })).toMatchObject(notFound("project"));
    expect(await http.ask("DELETE", at)).toMatchObject(notFound("project"));
  });

  test("unknown sessions and routes are not found, over HTTP and over the socket", async () => {
    const { http, socket } = current();
    expect(await http.ask("GET", "/api/nowhere")).toMatchObject(notFound("route"));
    const paths = ["", "/messages", "/queue", "/workspace"].map((path) => `/api/sessions/unknown${path}`);
    for (const path of [...paths, "/api/interactions?sessionId=unknown"])
      expect(await http.ask("GET", path), path).toMatchObject(notFound("session"));
    for (const type of ["session:open", "session:close", "session:cancel", "session:archive"]) {
      const missing = { type: "error", code: "NOT_FOUND", what: "session", sessionId: "unknown" };
      expect(await socket.request(type, { sessionId: "unknown" }), type).toMatchObject(missing);
    }
  });

  test("invalid input is refused with its issues, and the socket stays open", async () => {
    const { http, socket, newSession } = current();
    const { id: sessionId } = await newSession();
    const bad = { code: "BAD_REQUEST", issues: [{ path: "colour", message: expect.any(String) }] };
    expect(await http.ask("PATCH", `/api/sessions/${sessionId}`, { body: { colour: "blue" } })).toMatchObject(
      { status: 400, body: { ...bad, error: expect.stringContaining("colour") } },
    );
    expect(await socket.request("session:open", { sessionId, colour: "blue" })).toMatchObject({
      ...bad,
      type: "error",
      message: expect.stringContaining("colour"),
    });
    expect(await socket.request("session:dance")).toMatchObject({ type: "error", code: "BAD_REQUEST" });
    socket.sendText("no JSON");
    await socket.until(({ type, requestId }) => type === "error" && requestId === undefined);
    expect(await socket.request("session:list")).toMatchObject({ type: "session:list" });
  });
}
