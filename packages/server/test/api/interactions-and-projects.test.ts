import { expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { asking } from "./asking.ts";
import { newSession, startApi } from "./harness.ts";

test("interactions are listed for one session by its name or id, and for all", async () => {
  await using api = await startApi();
  const [id] = [await asking(api), await newSession(api)];
  const { get, ask: request } = client(api);
  const count = async (query: string) => {
    const { interactions } = await get<{ interactions: unknown[] }>(`/api/interactions${query}`);
    return interactions.length;
  };
  expect(await count("")).toBe(1);
  expect(await count(`?sessionId=${id}`)).toBe(1);
  expect(await count(`?sessionId=${api.service.must(id).name}&state=all`)).toBe(1);
  expect(await count("?state=resolved")).toBe(0);
  expect((await request("GET", "/api/interactions?sessionId=no-such-one")).status).toBe(404);
});

test("a project is read by its id; an unknown one is not found", async () => {
  await using api = await startApi();
  const { ask: request } = client(api);
  const { body: project } = await request("POST", "/api/projects", { body: { path: "/home/me" } });
  expect(await request("GET", `/api/projects/${project["id"]}`)).toMatchObject({
    status: 200,
    body: project,
  });
  expect(await request("GET", "/api/projects/prj_00000000000000000000000000")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", what: "project" },
  });
});
