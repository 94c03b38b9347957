// Work is reviewed, updated and merged from a terminal.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Merged, Project, Review, Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, drover, openSession } from "./support.ts";
import { ofEvent, watchFeed } from "./watch-feed.ts";
import { git, inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig();

/** A repository whose user has a git identity, and a project with these checks. */
async function open(...checks: string[]): Promise<WorktreeRig> {
  const rig = await worktreesOn(shared);
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { checks: checks.map((script) => ["sh", "-c", script]) });
  return rig;
}

const reviewIs = (session: Conversation, state: Review["state"]) =>
  until(async () => (await session.get()).review?.state === state);

/** The state that `drover ls` shows for the only session. */
async function listed(rig: WorktreeRig): Promise<string | undefined> {
  const { stdout } = await drover(rig.home, "ls");
  return stdout.split("\n")[1]?.split(/ {2,}/)[2];
}

test("drover review shows how the work stands and decides it, and lists say so briefly", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const review = (...args: string[]) => drover(rig.home, "review", "fox", ...args);
  expect((await review()).stdout).toBe("state  nothing to review\ninto   main (0 commits ahead, 0 behind)\n");
  await session.turn("write kept.txt two");
  await git(rig.home, rig.treeOf("fox"), "commit", "-qam", "Change it");
  await session.turn("write new.txt new");
  await reviewIs(session, "open");
  const shown = await review();
  expect(shown.stdout).toMatch(
    /^state {4}ready for review\ninto {5}main \(2 commits ahead, 0 behind\)\nchanges {2}2 files, \+2 -1\n\ncommits\n {2}[0-9a-f]{10} {2}\d+ \w+ {2}A {2}Change it\n$/,
  );
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining("drover diff fox --against base") });
  expect(await listed(rig)).toMatch(/^ready for review( ● unread)?$/);
  expect(await review("--json")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\{"review":\{"into"/),
  });

  expect(await review("--accept", "--message", "Good")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("drover merge fox"),
  });
  expect((await drover(rig.home, "show", "fox")).stdout).toMatch(/^review +accepted: 2 files, \+2 -1$/m);
  expect((await review("--reject")).code).toBe(0);
  expect(await listed(rig)).toMatch(/^rejected( ● unread)?$/);
  for (const wrong of [
    ["--accept", "--reject"],
    ["--changes", "x", "--accept"],
    ["--message", "alone"],
  ])
    expect((await review(...wrong)).code, wrong.join(" ")).toBe(2);

  expect((await review("--changes", "write new.txt better")).stderr).toContain("drover wait fox");
  await reviewIs(session, "open");
  expect(session.all("message").at(-1)?.content).toBe("write new.txt better");
});

test("a session whose review opens is unread, announced with its review, and listed by it", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using feed = await watchFeed(rig);
  const { seq } = await session.turn("write new.txt one");
  const opened = await session.follower.until((event) => event.type === "review" && event.state === "open");
  expect(opened.seq).toBeGreaterThan(seq);
  // A person who has seen the end of the turn has not seen what there is to review.
  await session.post("seen", { seq });
  expect(await session.get()).toMatchObject({ unread: true, review: { state: "open" } });
  await until(() =>
    ofEvent(feed.entries, "session_upserted").some(
      ({ session }) => (session as Session).unread && (session as Session).review?.state === "open",
    ),
  );
  const ls = async (...args: string[]) => (await drover(rig.home, "ls", ...args)).stdout.includes("fox");
  expect(await Promise.all([ls("--unread"), ls("--review", "open"), ls("--review", "merged,open")])).toEqual([
    ...[true, true, true],
  ]);
  expect(await ls("--review", "accepted")).toBe(false);
  expect(await drover(rig.home, "ls", "--review", "none")).toMatchObject({ code: 2 });
  const refused = await rig.client.ask("GET", "/api/sessions?review=open,asleep");
  expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  await session.post("seen", { seq: opened.seq });
  expect((await session.get()).unread).toBeUndefined();
});

test("drover merge merges and says what is in the way, and drover update lists conflicts", async () => {
  await using rig = await open();
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await Promise.all([fox.turn("write kept.txt of the fox"), owl.turn("write kept.txt of the owl")]);
  const merged = await drover(rig.home, "merge", "fox", "--squash", "-m", "Fox's");
  const tip = await rig.git("rev-parse", "main");
  expect(merged).toEqual({ code: 0, stdout: "", stderr: `Merged fox into main as ${tip.slice(0, 10)}.\n` });
  expect(await rig.git("log", "-1", "--format=%s %p", "main")).toBe(
    `Fox's ${(await rig.git("rev-parse", "main~1")).slice(0, 7)}`,
  );
  expect((await drover(rig.home, "review", "fox")).stdout).toContain(`merged as  ${tip}\n`);

  expect(await drover(rig.home, "merge", "owl")).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("kept.txt conflicts with main"),
  });
  const refused = await drover(rig.home, "merge", "owl", "--json");
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
    6,
    { error: expect.any(String), code: "MERGE_CONFLICT", files: ["kept.txt"] },
  ]);
  expect(await drover(rig.home, "update", "owl")).toMatchObject({ code: 6, stdout: "kept.txt\n" });
  expect((await drover(rig.home, "review", "owl")).stdout).toMatch(/^unresolved +kept.txt$/m);
  await owl.turn("write kept.txt of both");
  await until(() => owl.all("notice").some(({ message }) => message.includes("resolved and committed")));
  expect((await drover(rig.home, "merge", "owl")).code).toBe(0);
  expect(await drover(rig.home, "update", "fox")).toMatchObject({
    code: 0,
    stderr: "fox has all of main now.\n",
  });
});

test("drover update --ask sends the agent the conflicts", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write kept.txt mine");
  await writeFile(join(rig.work, "kept.txt"), "theirs\n");
  await rig.git("commit", "-qam", "theirs");
  expect(await drover(rig.home, "update", "fox", "--ask")).toMatchObject({
    code: 0,
    stdout: "kept.txt\n",
    stderr: expect.stringContaining("drover wait fox"),
  });
  expect(session.all("message").at(-1)?.content).toContain("- kept.txt");
});

test("drover merge waits for checks, shows them, and reports how they ended", async () => {
  await using rig = await open("test ! -e bad.txt || { echo bad.txt is not wanted; exit 3; }");
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await Promise.all([fox.turn("write bad.txt bad"), owl.turn("write good.txt good")]);
  const green = await drover(rig.home, "merge", "owl", "--json");
  expect([green.code, JSON.parse(green.stdout)]).toMatchObject([
    0,
    { into: "main", commit: await rig.git("rev-parse", "main"), review: { state: "merged" } },
  ]);
  expect(green.stderr).toMatch(/^owl will be merged into main after.*\nRunning sh -c /);
  const red = await drover(rig.home, "merge", "fox");
  expect(red).toMatchObject({ code: 1, stdout: "" });
  expect(red.stderr).toMatch(
    /Failed: sh -c .*\n {2}It exited with 3.\n {2}bad.txt is not wanted\nNot merged: the checks failed/,
  );
  expect((await drover(rig.home, "review", "fox")).stdout).toMatch(
    /^checks .*failed: .*\n {2}It exited with 3.\n {2}bad.txt is not wanted$/m,
  );
});

test("a merge that is refused after its checks ends the wait with the reason, and --no-wait doesn't wait", async () => {
  await using rig = await open('while [ -e "$HOME/wait" ]; do sleep 0.02; done');
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write kept.txt mine");
  await writeFile(join(rig.home, "wait"), "");
  const merging = drover(rig.home, "merge", "fox");
  await until(async () => (await session.get()).review?.checks?.state === "running");
  expect(await listed(rig)).toMatch(/^being merged/);
  await writeFile(join(rig.work, "kept.txt"), "theirs\n");
  await rig.git("commit", "-qam", "theirs");
  await rm(join(rig.home, "wait"));
  expect(await merging).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/\nNot merged: kept.txt conflicts/),
  });

  await rig.git("reset", "-q", "--hard", "HEAD~1");
  const started = await drover(rig.home, "merge", "fox", "--no-wait", "--json");
  expect([started.code, JSON.parse(started.stdout)]).toMatchObject([0, { review: { state: "merging" } }]);
  expect((JSON.parse(started.stdout) as Merged).commit).toBeUndefined();
  await reviewIs(session, "merged");
});
