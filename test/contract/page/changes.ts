import type { Discarded, FileLines, Reverted, Session, SessionEvent, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import type { Page } from "../page-server.ts";

/** Lets the agent write a file, given as its path and its text, and returns the turn once its changes are known. */
async function writes(page: Page, session: Session, file: string): Promise<string> {
  const { turnId } = await page.send(session, `write ${file}`);
  await page.socket.until(({ event }) => {
    const { type, turnId: of } = (event ?? {}) as SessionEvent;
    return type === "turn_changes" && of === turnId;
  });
  return turnId ?? "";
}

async function openSession(page: Page, name: string): Promise<Session> {
  const fields = { cwd: page.server.repository, workspace: "worktree", permissionMode: "never", name };
  const session = await page.newSession(fields);
  await page.socket.request("session:open", { sessionId: session.id });
  return session;
}

export function changesContract(current: () => Page): void {
  test("a turn's changes are listed, compared, undone and redone, unless someone changed them since", async () => {
    const page = current();
    const session = await openSession(page, "changes-of-a-turn");
    const at = `/api/sessions/${session.id}`;
    const filesOf = async (query: string) => {
      const { files } = await page.ask<WorkspaceChanges>("GET", `${at}/workspace${query}`);
      return files.map(({ path, added, removed }) => `${path} +${added} -${removed}`);
    };
    const first = await writes(page, session, "notes.txt two");
    expect(await filesOf(`?turn=${first}`)).toEqual(["notes.txt +1 -1"]);
    expect(await filesOf("?against=base")).toEqual(["notes.txt +1 -1"]);
    const diff = await page.http.ask<string>("GET", `${at}/diff?turn=${first}`);
    expect(diff.status).toBe(200);
    const linesOf = async (side: string, query: string) => {
      const lines = `${at}/file?path=notes.txt&side=${side}&from=1&to=9&${query}`;
      return (await page.ask<FileLines>("GET", lines)).lines;
    };
    expect(await linesOf("before", `turn=${first}`)).toEqual(["one"]);
    expect(await linesOf("after", `turn=${first}`)).toEqual(["two"]);
    expect(await linesOf("before", "against=base")).toEqual(["one"]);
    expect(await page.http.ask("GET", `${at}/workspace?turn=trn_unknown`)).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND", what: "checkpoint" },
    });

    const undone = await page.ask<Reverted>("POST", `${at}/revert`, { turnId: first });
    expect(undone).toMatchObject({ reverted: first, files: ["notes.txt"] });
    expect(await filesOf("")).toEqual([]);
    await page.ask("POST", `${at}/revert`, { turnId: undone.turnId });
    expect(await filesOf("")).toEqual(["notes.txt +1 -1"]);

    await writes(page, session, "notes.txt three");
    expect(await page.http.ask("POST", `${at}/revert`, { body: { turnId: first } })).toMatchObject({
      status: 409,
      body: { code: "REVERT_CONFLICT", files: ["notes.txt"] },
    });
    await page.ask("POST", `${at}/revert`, { turnId: first, force: true });
    expect(await filesOf("")).toEqual([]);
  });

  test("uncommitted changes are discarded, brought back and committed", async () => {
    const page = current();
    const session = await openSession(page, "uncommitted-changes");
    const at = `/api/sessions/${session.id}`;
    const paths = async () => {
      const { files } = await page.ask<WorkspaceChanges>("GET", `${at}/workspace`);
      return files.map(({ path }) => path);
    };
    await writes(page, session, "notes.txt two");
    await writes(page, session, "new.txt new");
    const discarded = await page.ask<Discarded>("POST", `${at}/discard`, { paths: ["notes.txt"] });
    expect(discarded.files).toEqual(["notes.txt"]);
    expect(await paths()).toEqual(["new.txt"]);
    await page.ask("POST", `${at}/revert`, { turnId: discarded.turnId });
    expect(await paths()).toEqual(["new.txt", "notes.txt"]);

    const gone =
      "diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-x\n+y\n";
    expect(await page.http.ask("POST", `${at}/discard`, { body: { patch: gone } })).toMatchObject({
      status: 409,
      body: { code: "DISCARD_CONFLICT", files: ["notes.txt"] },
    });

    const committed = await page.ask("POST", `${at}/commit`, { message: "Add", paths: ["new.txt"] });
    expect(committed).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), files: ["new.txt"] });
    expect(await paths()).toEqual(["notes.txt"]);
    await page.ask("POST", `${at}/commit`, { message: "Change" });
    expect(await page.http.ask("POST", `${at}/commit`, { body: { message: "Again" } })).toMatchObject({
      status: 409,
      body: { code: "NOTHING_TO_COMMIT" },
    });

    await page.send(session, "hang");
    expect(await page.http.ask("POST", `${at}/discard`, { body: { paths: ["new.txt"] } })).toMatchObject({
      status: 409,
      body: { code: "SESSION_LOCKED" },
    });
    await page.request("session:cancel", { sessionId: session.id });
  });
}
