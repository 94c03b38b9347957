import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import type { Page } from "../page-server.ts";

export function sessionsContract(current: () => Page): void {
  /** Waits for an announcement about a session. */
  const announced = ({ socket }: Page, expected: string, id: string) =>
    socket.until(
      ({ type, sessionId, session }) =>
        type === expected && (sessionId ?? (session as Session | undefined)?.id) === id,
    );

  test("a new session is idle, announced, and first in the list, which is paged", async () => {
    const page = current();
    const older = await page.newSession();
    const newer = await page.newSession();
    expect(newer).toMatchObject({ state: "idle", agent: "demo", archived: false, lastSeq: 0, queued: 0 });
    expect((await announced(page, "session_upserted", newer.id))["session"]).toMatchObject({ id: newer.id });
    const first = await page.request("session:list", { limit: 1 });
    expect(first["sessions"]).toMatchObject([{ id: newer.id }]);
    const second = await page.request("session:list", { limit: 1, before: first["before"] });
    expect(second["sessions"]).toMatchObject([{ id: older.id }]);
    expect(await page.ask<Session>("GET", `/api/sessions/${newer.name}`)).toMatchObject({ id: newer.id });
  });

  test("title, mode and archive are changed and announced", async () => {
    const page = current();
    const { id } = await page.newSession();
    const changes = { title: "Fix the test", permissionMode: "plan" };
    expect(await page.ask("PATCH", `/api/sessions/${id}`, changes)).toMatchObject(changes);
    await page.request("session:archive", { sessionId: id });
    await announced(page, "session:archived", id);
    const ids = async (archived: boolean) => {
      const { sessions } = (await page.request("session:list", { archived })) as unknown as {
        sessions: Session[];
      };
      return sessions.map((session) => session.id);
    };
    expect(await ids(true)).toContain(id);
    expect(await ids(false)).not.toContain(id);
    expect(await page.ask("PATCH", `/api/sessions/${id}`, { archived: false })).toMatchObject({
      archived: false,
    });
  });

  test("a stopped session is reactivated, and a deleted one is removed for every socket", async () => {
    const page = current();
    const { id } = await page.newSession();
    const at = `/api/sessions/${id}`;
    await page.ask("POST", `${at}/stop`);
    await page.socket.until(
      ({ type, session }) =>
        type === "session_upserted" &&
        (session as Session).id === id &&
        (session as Session).state === "stopped",
    );
    expect(await page.ask("POST", `${at}/resume`)).toMatchObject({ id, state: "idle" });
    await page.ask("DELETE", at);
    await announced(page, "session_removed", id);
    expect((await page.http.ask("GET", at)).status).toBe(404);
  });

  test("a directory without a repository has no changes and no diff", async () => {
    const { ask, http, newSession, server } = current();
    const { id } = await newSession();
    const workspace = { mode: "local", path: server.directory, versioned: false, files: [] };
    expect(await ask("GET", `/api/sessions/${id}/workspace`)).toEqual(workspace);
    const diff = await http.ask("GET", `/api/sessions/${id}/diff`);
    expect(diff).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what: expect.any(String) } });
  });
}
