import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { api } from "../../../../test/kit/http.ts";
import { startServer } from "../../../../test/kit/server.ts";
import { freshRow } from "../../src/engine/service/create-session.ts";
import { localWorkspace, type SessionAbout } from "../../src/ports.ts";

test("sessions created at the same time all get different names", async () => {
  await using server = await startServer();
  const make = () => api(server).post<Session>("/api/sessions", { agent: "demo", cwd: server.home });
  // Enough sessions that some word pairs are certain to be drawn twice.
  const sessions = await Promise.all(Array.from({ length: 400 }, make));
  expect(new Set(sessions.map(({ name }) => name)).size).toBe(400);
});

test("a free name is found quickly even when every plain word pair is taken", async () => {
  const about: SessionAbout = {
    ...{ title: "", kind: "session", agent: "demo", driver: "acp" },
    ...{ permissionMode: "ask", grants: [] },
  };
  let asked = 0;
  const isNameTaken = async (name: string) => {
    asked++;
    return /^[a-z]+-[a-z]+$/.test(name);
  };
  const { name } = await freshRow({ isNameTaken }, { cwd: "/", workspace: localWorkspace("/"), about });
  expect(name).toMatch(/^[a-z]+-[a-z]+-\d+$/);
  expect(asked).toBeLessThan(20);
});
