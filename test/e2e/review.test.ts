// Work comes back on purpose: reviewed, sent back, accepted, merged.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommitList, EventOf, Merged, Project, Review, Reviewed, Session, Updated } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, openSession } from "./support.ts";
import { inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

/** A rig with a git identity, as a person has one. */
async function open(): Promise<WorktreeRig> {
  const rig = await worktreesOn(shared);
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  return rig;
}

const review = (session: Conversation, body: object) => session.post<Reviewed>("review", body);

/** Waits until the stored review is in a state. */
const reviewed = (session: Conversation, state: Review["state"]) =>
  session.follower.until<EventOf<"review">>((event) => event.type === "review" && event.state === state);

const stateOf = async (session: Conversation) => (await session.get()).review?.state;

test("a review opens when a turn has changed something, and holds a decision until the work changes again", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("say hello");
  expect(await rig.client.get<Review>(session.path("/review"))).toMatchObject({
    state: "none",
    into: "main",
    ahead: 0,
  });
  expect((await session.get()).review).toBeUndefined();

  await session.turn("write new.txt one");
  const opened = await reviewed(session, "open");
  expect(opened).toMatchObject({ into: "main", ahead: 1, behind: 0, files: 1, added: 1, removed: 0 });
  expect((await review(session, { do: "accept", message: "Fine" })).review.state).toBe("accepted");
  expect(await stateOf(session)).toBe("accepted");
  await session.turn("say nothing new");
  expect((await rig.client.get<Review>(session.path("/review"))).state).toBe("accepted");

  const { length } = session.all("review");
  await session.turn("write new.txt two");
  await until(() =>
    session
      .all("review")
      .slice(length)
      .some(({ state }) => state === "open"),
  );
  expect((await review(session, { do: "reject" })).review.state).toBe("rejected");
  expect(await rig.git("branch", "--list", "drover/fox")).not.toBe("");
});

test("requested changes reach the agent as one message with its comments", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const comments = [
    { path: "new.txt", line: 1, side: "now", text: "write new.txt better", quote: "one" },
    { path: "kept.txt", line: 3, from: 1, side: "old", text: "Why?" },
  ];
  const { receipt } = await review(session, { do: "request_changes", message: "Two things", comments });
  await session.done(receipt?.messageId ?? "");
  const sent = session.all("message").find(({ messageId }) => messageId === receipt?.messageId);
  expect(sent?.content).toBe(
    "Two things\n\nnew.txt:1\n> one\n\nwrite new.txt better\n\nkept.txt:1-3 (removed)\nWhy?",
  );
  // The demo agent follows the lines of the message.
  await reviewed(session, "open");
  expect(await readFile(join(rig.treeOf("fox"), "new.txt"), "utf8")).toBe("better");
  const refused = await rig.client.ask("POST", session.path("/review"), { body: { do: "request_changes" } });
  expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
});

test("V2 V8 a merge moves both branches, the checkout follows, and work goes on from the result, also after a squash", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const merged = await session.post<Merged>("merge", { message: "Add new.txt" });
  expect(merged).toMatchObject({ into: "main", review: { state: "merged", ahead: 0, files: 0 } });
  expect(await rig.git("rev-parse", "main", "drover/fox")).toBe(`${merged.commit}\n${merged.commit}`);
  expect(await rig.git("status", "--porcelain")).toBe("");
  expect(await rig.git("log", "-1", "--format=%s %an")).toBe("Add new.txt A Person");
  expect(await readFile(join(rig.work, "new.txt"), "utf8")).toBe("one");
  expect((await session.get()).workspace.base).toEqual({ ref: "main", commit: merged.commit });
  expect(session.all("notice").map(({ code }) => code)).toContain("MERGED");
  expect(await stateOf(session)).toBe("merged");

  for (const text of ["two", "three"]) {
    await session.turn(`write new.txt ${text}`);
    await until(async () => (await stateOf(session)) === "open");
    await session.post<Merged>("merge", { strategy: "squash" });
    expect(await readFile(join(rig.work, "new.txt"), "utf8")).toBe(text);
  }
  const again = await rig.client.ask("POST", session.path("/merge"), { body: {} });
  expect(again).toMatchObject({ status: 409, body: { code: "NOTHING_TO_MERGE" } });
});

test("V3 V4 a conflict is refused, resolved by the agent after an update, and then merged", async () => {
  await using rig = await open();
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await fox.turn("write kept.txt of the fox\nrun rm sub/inner.txt");
  await owl.turn("write kept.txt of the owl\nwrite sub/inner.txt of the owl");
  await fox.post("merge", {});
  // The other review knows at once.
  await until(async () => (await owl.get()).review?.conflicts?.[0] === "kept.txt");
  const before = await rig.git("for-each-ref");
  const conflicts = ["kept.txt", "sub/inner.txt"];
  const refused = await rig.client.ask("POST", owl.path("/merge"), { body: {} });
  expect(refused).toMatchObject({ status: 409, body: { code: "MERGE_CONFLICT", files: conflicts } });
  expect(await rig.git("for-each-ref")).toBe(before);

  const updated = await owl.post<Updated>("update");
  expect(updated).toMatchObject({ from: "main", conflicts, review: { unresolved: conflicts } });
  const asked = await owl.post<Updated>("update", { ask: true });
  await owl.done(asked.receipt?.messageId ?? "");
  // The agent had nothing to say about the file without markers, so it stays as it is.
  await until(async () => (await owl.get()).review?.unresolved?.join() === "kept.txt");
  const marked = await rig.client.ask("POST", owl.path("/merge"), { body: {} });
  expect(marked).toMatchObject({ status: 409, body: { code: "MERGE_CONFLICT" } });
  await owl.turn("write kept.txt of both");
  await until(() => owl.all("notice").some(({ message }) => message.includes("resolved and committed")));
  await owl.post("merge", {});
  expect(await readFile(join(rig.work, "kept.txt"), "utf8")).toBe("of both");
  expect(await rig.git("fsck", "--no-dangling")).toBe("");
});

test("only the work that was seen or accepted is accepted or merged", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const { work } = await rig.client.get<Review>(session.path("/review"));
  const ask = (path: string, body: object) => rig.client.ask("POST", session.path(path), { body });
  const changed = { status: 409, body: { code: "INPUT_CHANGED" } };
  const unseen = join(rig.treeOf("fox"), "unseen.txt");

  await writeFile(unseen, "one\n");
  expect(await ask("/review", { do: "accept", work })).toMatchObject(changed);
  expect(await ask("/merge", { work })).toMatchObject(changed);
  const seen = await rig.client.get<Review>(session.path("/review"));
  await review(session, { do: "accept", work: seen.work });

  await writeFile(unseen, "two\n");
  expect(await ask("/merge", {})).toMatchObject(changed);
  expect(await stateOf(session)).toBe("open");
  expect(await rig.git("log", "--format=%s", "main")).not.toContain("Merge");
  await session.post("merge", {});
  expect(await readFile(join(rig.work, "unseen.txt"), "utf8")).toBe("two\n");
});

test("work that came with another session's branch is part of the review, and of the diff", async () => {
  await using rig = await open();
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await fox.turn("write fox.txt one");
  await fox.post("commit", { message: "Add the fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl", base: "drover/fox" });
  await owl.turn("write owl.txt two");
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { target: "main" });
  const found = await rig.client.get<Review>(owl.path("/review"));
  expect(found).toMatchObject({ into: "main", files: 2, added: 2, base: await rig.git("rev-parse", "main") });
  const { files } = await rig.client.get<{ files: { path: string }[] }>(owl.path("/workspace?against=base"));
  expect(files.map(({ path }) => path)).toEqual(["fox.txt", "owl.txt"]);
  const { commits } = await rig.client.get<CommitList>(owl.path("/commits"));
  expect(commits.map(({ subject }) => subject)).toEqual(["Add the fox"]);
});

test("the diff of a review has every file that a merge brings: ignored, large and in Drover's own folder", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const large = "head -c 11000000 /dev/zero | tr '\\0' x > large.txt";
  const commit = "git add -f . && git -c user.name=A -c user.email=a@example.test commit -qm Add";
  await session.turn(`run echo '*.log' > .gitignore && echo 1 > hidden.log && ${large} && ${commit}`);
  await session.turn("run echo 1 > staged.log && git add -f staged.log");
  const { files } = await rig.client.get<{ files: { path: string }[] }>(
    session.path("/workspace?against=base"),
  );
  const paths = files.map(({ path }) => path);
  const hidden = [".drover/demo.log", "hidden.log", "large.txt", "staged.log"];
  expect(paths).toEqual(expect.arrayContaining(hidden));
  const lines = await rig.client.get(
    session.path("/file?against=base&path=hidden.log&side=after&from=1&to=1"),
  );
  expect(lines).toMatchObject({ lines: ["1"] });
  const { work } = await rig.client.get<Review>(session.path("/review"));
  await session.post("merge", { work });
  expect((await rig.git("diff", "--name-only", "HEAD^", "HEAD")).split("\n")).toEqual(paths);
});

test("nothing is merged or decided while a turn is running", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  await session.send("hang");
  await session.follower.until((event) => event.type === "text_delta" || event.type === "turn_start");
  await until(async () => (await session.get()).turn !== undefined);
  for (const [path, body] of [
    ["/merge", {}],
    ["/update", {}],
    ["/review", { do: "accept" }],
  ] as const) {
    const refused = await rig.client.ask("POST", session.path(path), { body });
    expect([path, refused.status, (refused.body as { code: string }).code]).toEqual([
      path,
      409,
      "SESSION_LOCKED",
    ]);
  }
  await session.post("interrupt");
  await until(async () => (await session.get()).turn === undefined);

  // Another session works in the same files.
  await using other = await openSession(rig, "demo", { cwd: rig.treeOf("fox") });
  await other.send("hang");
  await until(async () => (await other.get()).turn !== undefined);
  for (const path of ["/merge", "/update"]) {
    const refused = await rig.client.ask("POST", session.path(path), { body: {} });
    expect(refused).toMatchObject({ status: 409, body: { code: "SESSION_LOCKED" } });
  }
  await other.post("interrupt");
});

test("a session in the user's own directory has nothing to review or merge", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo");
  for (const path of ["/merge", "/update", "/review"]) {
    const body = path === "/review" ? { do: "accept" } : {};
    expect(await rig.client.ask("POST", session.path(path), { body })).toMatchObject({
      status: 400,
      body: { code: "UNSUPPORTED", what: "worktree" },
    });
  }
  expect((await rig.client.get<Session>(session.path())).review).toBeUndefined();
});
