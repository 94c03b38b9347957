import { describe, expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { callerRefusal } from "../../src/operations/admission.ts";
import { approve, asking } from "./asking.ts";
import { newKey, newSession, raw, startApi, token } from "./harness.ts";

describe("an agent as the caller", () => {
  test("can neither add, trust, rename nor remove a project", async () => {
    await using api = await startApi();
    const { ask: request } = client(api);
    const { body: project } = await request("POST", "/api/projects", { body: { path: "/home/me" } });
    const path = `/api/projects/${project["id"]}`;
    api.peer = await newSession(api);
    const refused = { status: 403, body: { code: "AGENT_CANNOT_ANSWER" } };
    expect(await request("POST", "/api/projects", { body: { path: "/home/me" } })).toMatchObject(refused);
    for (const body of [
      { trusted: true },
      { env: { PATH: "/evil" } },
      { name: "ours" },
      { setup: [["evil"]] },
    ]) {
      expect(await request("PATCH", path, { body })).toMatchObject(refused);
    }
    expect(await request("DELETE", path)).toMatchObject(refused);
    api.peer = undefined;
    expect((await request("PATCH", path, { body: { trusted: true } })).status).toBe(200);
  });

  test("cannot install a program", async () => {
    await using api = await startApi();
    api.peer = await newSession(api);
    const { ask: request } = client(api);
    const refused = { status: 403, body: { code: "AGENT_CANNOT_ANSWER" } };
    expect(await request("POST", "/api/agents/demo/add")).toMatchObject(refused);
    expect(api.service.calls).not.toContain("agents.add");
    api.peer = undefined;
    expect(await request("POST", "/api/agents/demo/add")).toMatchObject({
      status: 200,
      body: { agent: "demo", installed: true },
    });
  });

  test("can neither answer requests nor loosen its own mode, whatever its credentials", async () => {
    await using api = await startApi();
    const id = await asking(api);
    api.peer = id;
    const { ask: request } = client(api);
    for (const path of ["approve", "deny", "submit-answers"]) {
      const body = path === "submit-answers" ? { ...approve, answers: {} } : approve;
      const answer = await request("POST", `/api/sessions/${id}/${path}`, { body });
      expect(answer, path).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    }
    const mode = await request("PATCH", `/api/sessions/${id}`, { body: { permissionMode: "never" } });
    expect(mode).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    expect((await request("PATCH", `/api/sessions/${id}`, { body: { title: "mine" } })).status).toBe(200);
    expect(api.service.must(id).state.interactions).toHaveLength(1);
    api.peer = undefined;
    expect((await request("POST", `/api/sessions/${id}/approve`, { body: approve })).status).toBe(200);
  });

  test("is refused before its body is read", async () => {
    await using api = await startApi();
    api.peer = await newSession(api);
    const headers = { host: `127.0.0.1:${api.port}`, authorization: `Bearer ${token}` };
    const answer = await raw(api.port, "/api/login/codes", { method: "POST", headers, body: "not JSON" });
    expect(answer).toMatchObject({ status: 403, json: { code: "AGENT_CANNOT_ANSWER" } });
  });

  test("that has closed the connection can read with the token but change nothing, and counts as a person with a login", async () => {
    await using api = await startApi({ peerOf: async () => "gone" });
    const id = await newSession(api);
    const { ask: request } = client(api);
    const path = `/api/sessions/${id}/stop`;
    expect((await request("GET", "/api/sessions")).status).toBe(200);
    expect(await request("POST", path)).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    expect(api.service.calls).not.toContain("stop");
    expect(await request("POST", "/api/login", { body: { token, key: newKey() } })).toMatchObject({
      status: 403,
    });
    const right = { by: "cookie", login: "of a browser" } as const;
    expect(callerRefusal({ admission: "person" }, { peer: "gone", right })).toBeUndefined();
  });
});
