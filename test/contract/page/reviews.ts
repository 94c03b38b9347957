import type {
  CommitList,
  Mergeability,
  Merged,
  Project,
  Review,
  Reviewed,
  Session,
  Updated,
} from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../kit/until.ts";
import type { Page } from "../page-server.ts";

/** Waits until a session's review is in this state, and no turn is running. */
function reviewed({ ask }: Page, { id }: Session, state: Review["state"]): Promise<Review> {
  return until(
    async () => {
      const { review, turn } = await ask<Session>("GET", `/api/sessions/${id}`);
      return review?.state === state && !turn ? review : undefined;
    },
    { what: `the review is ${state}` },
  );
}

/** A session whose agent has written a file, given as its path and its text. */
async function work(page: Page, name: string, file: string): Promise<Session> {
  const fields = { cwd: page.server.repository, workspace: "worktree", permissionMode: "never", name };
  const session = await page.newSession(fields);
  await page.send(session, `write ${file}`);
  await reviewed(page, session, "open");
  return session;
}

const refused = (code: string, facts: object = {}) => ({ status: 409, body: { code, ...facts } });

export function reviewsContract(current: () => Page): void {
  test("work is opened for review, sent back with comments, accepted and merged", async () => {
    const page = current();
    const { ask, http } = page;
    const session = await work(page, "review-fox", "fox.txt one");
    const at = `/api/sessions/${session.id}`;
    const facts = { into: "main", ahead: 1, behind: 0, files: 1, added: 1, removed: 0 };
    expect(await ask<Review>("GET", `${at}/review`)).toMatchObject({ state: "open", ...facts });
    expect(await ask<Session>("GET", at)).toMatchObject({ review: { state: "open", ...facts } });
    expect(await ask<CommitList>("GET", `${at}/commits`)).toEqual({ commits: [] });

    const comment = { path: "fox.txt", line: 1, side: "now", text: "write fox.txt two", quote: "one" };
    const sent = await ask<Reviewed>("POST", `${at}/review`, { do: "request_changes", comments: [comment] });
    expect(sent).toMatchObject({ review: { state: "changes_requested" }, receipt: { applied: "started" } });
    await reviewed(page, session, "open");
    expect(await http.ask("POST", `${at}/review`, { body: { do: "request_changes" } })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });

    await ask("POST", `${at}/commit`, { message: "Add the fox" });
    const { commits } = await ask<CommitList>("GET", `${at}/commits`);
    expect(commits).toMatchObject([{ subject: "Add the fox", author: "Ada" }]);
    const unseen = { do: "accept", work: "0".repeat(40) };
    expect(await http.ask("POST", `${at}/review`, { body: unseen })).toMatchObject(refused("INPUT_CHANGED"));
    const { work: seen } = await ask<Review>("GET", `${at}/review`);
    const accepted = await ask<Reviewed>("POST", `${at}/review`, { do: "accept", work: seen });
    expect(accepted.review.state).toBe("accepted");
    const other = { work: "0".repeat(40) };
    expect(await http.ask("POST", `${at}/merge`, { body: other })).toMatchObject(refused("INPUT_CHANGED"));
    const can = await ask<Mergeability>("GET", `${at}/merge`);
    const checkout = { path: page.server.repository, inTheWay: [] };
    expect(can).toEqual({ into: "main", mergeable: true, conflicts: [], ahead: 1, behind: 0, checkout });
    expect(await http.ask("GET", `${at}/merge?into=nowhere`)).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND", what: "branch" },
    });
    const merged = await ask<Merged>("POST", `${at}/merge`, { strategy: "squash", message: "Fox" });
    expect(merged).toMatchObject({ into: "main", review: { state: "merged", ahead: 0, files: 0 } });
    const { workspace } = await ask<Session>("GET", at);
    expect(workspace.base).toMatchObject({ ref: "main", commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    for (const [path, body] of [
      ["merge", {}],
      ["review", { do: "accept" }],
    ] as const)
      expect(await http.ask("POST", `${at}/${path}`, { body })).toMatchObject(refused("NOTHING_TO_MERGE"));
  });

  test("a conflict is refused, brought into the worktree by an update, resolved and merged", async () => {
    const page = current();
    const { ask, http } = page;
    const owl = await work(page, "review-owl", "shared.txt of the owl");
    const elk = await work(page, "review-elk", "shared.txt of the elk");
    await ask("POST", `/api/sessions/${owl.id}/merge`, {});
    const at = `/api/sessions/${elk.id}`;
    const files = ["shared.txt"];
    expect(await ask<Review>("GET", `${at}/review`)).toMatchObject({ conflicts: files });
    expect(await ask<Mergeability>("GET", `${at}/merge`)).toMatchObject({
      mergeable: false,
      conflicts: files,
    });
    expect(await http.ask("POST", `${at}/merge`, { body: {} })).toMatchObject(
      refused("MERGE_CONFLICT", { files }),
    );
    const updated = await ask<Updated>("POST", `${at}/update`, { ask: true });
    expect(updated).toMatchObject({ from: "main", conflicts: files, review: { unresolved: files } });
    expect(updated.receipt).toMatchObject({ applied: "started" });
    await reviewed(page, elk, "open");
    await page.send(elk, "write shared.txt of both");
    await until(async () => {
      const { review, turn } = await ask<Session>("GET", at);
      return !turn && review?.behind === 0 && !review.unresolved;
    });
    expect(await ask<Merged>("POST", `${at}/merge`, {})).toMatchObject({ review: { state: "merged" } });
  });

  test("a merge waits for the project's checks, which send the work back if they fail", async () => {
    const page = current();
    const { ask, http, server } = page;
    const { id } = await ask<Project>("POST", "/api/projects", { path: server.repository });
    try {
      for (const [name, check, state] of [
        ["review-hen", "false", "changes_requested"],
        ["review-emu", "true", "merged"],
      ] as const) {
        await ask("PATCH", `/api/projects/${id}`, { checks: [[check]] });
        const session = await work(page, name, `${name}.txt one`);
        const at = `/api/sessions/${session.id}/merge`;
        const { status, body } = await http.ask<Merged>("POST", at, { body: {} });
        expect(status).toBe(202);
        expect(body).toMatchObject({ into: "main", review: { state: "merging" } });
        expect(body.commit).toBeUndefined();
        const { checks } = await reviewed(page, session, state);
        expect(checks).toMatchObject({ state: check === "true" ? "passed" : "failed", command: check });
      }
    } finally {
      await ask("DELETE", `/api/projects/${id}`);
    }
  });

  test("nothing is decided while a turn is running, or where there is no worktree", async () => {
    const page = current();
    const { http } = page;
    const session = await work(page, "review-cat", "cat.txt one");
    const local = await page.newSession();
    await page.send(session, "hang");
    for (const [path, body] of [
      ["merge", {}],
      ["update", {}],
      ["review", { do: "accept" }],
    ] as const) {
      expect(await http.ask("POST", `/api/sessions/${session.id}/${path}`, { body })).toMatchObject(
        refused("SESSION_LOCKED"),
      );
      expect(await http.ask("POST", `/api/sessions/${local.id}/${path}`, { body })).toMatchObject({
        status: 400,
        body: { code: "UNSUPPORTED", what: "worktree" },
      });
    }
    await page.request("session:cancel", { sessionId: session.id });
  });
}
