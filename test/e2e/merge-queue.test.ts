// Merges into one branch happen one after another, after the project's checks.
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Merged, Project, Review } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, openSession, processesOfSession } from "./support.ts";
import { inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({
  config: { worktrees: { checkTimeout: "2s" }, supervision: { stopGrace: "200ms" } },
});

/** A project with these checks; each is a script for a shell. */
async function open(...checks: string[]): Promise<WorktreeRig> {
  const rig = await worktreesOn(shared);
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  await setChecks(rig, ...checks.map((script) => ["sh", "-c", script]));
  return rig;
}

async function setChecks(rig: WorktreeRig, ...checks: string[][]): Promise<void> {
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { checks });
}

const reviewed = (session: Conversation, state: Review["state"]) =>
  session.follower.until<EventOf<"review">>((event) => event.type === "review" && event.state === state);

test("V6 checks run on the result, in a place of their own, and green ones let the branch move", async () => {
  await using rig = await open(
    'test "$(cat new.txt)" = one && pwd > "$HOME/place" && ! git rev-parse && touch made',
  );
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const answer = await rig.client.ask("POST", session.path("/merge"), { body: {} });
  expect(answer).toMatchObject({ status: 202, body: { into: "main", review: { state: "merging" } } });
  expect((answer.body as Merged).commit).toBeUndefined();
  const merged = await reviewed(session, "merged");
  expect(merged).toMatchObject({ checks: { state: "passed" }, mergedAs: await rig.git("rev-parse", "main") });
  const place = (await readFile(join(rig.home, "place"), "utf8")).trim();
  expect(place).toBe(join(rig.work, ".drover-worktrees", ".checks", "fox"));
  expect(await rig.git("status", "--porcelain", "--ignored")).toBe("!! .drover-worktrees/");
  await until(async () => !(await readFile(join(place, "made")).catch(() => undefined)));
});

test("V6 red checks send the output back to the agent, and the next merge goes on", async () => {
  await using rig = await open("test ! -e bad.txt || { echo bad.txt is not wanted; exit 3; }");
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await Promise.all([fox.turn("write bad.txt bad"), owl.turn("write good.txt good")]);
  const before = await rig.git("rev-parse", "main");
  await fox.post("merge", {});
  await owl.post("merge", {});
  const red = await reviewed(fox, "changes_requested");
  expect(red.checks).toMatchObject({ state: "failed", tail: "bad.txt is not wanted" });
  const sent = await until(() => fox.all("message").find(({ by }) => by === "server"));
  expect(sent.content).toContain("It exited with 3");
  expect(sent.content).toContain("bad.txt is not wanted");
  const green = await reviewed(owl, "merged");
  expect(await rig.git("rev-parse", "main~1")).toBe(before);
  expect(green.mergedAs).toBe(await rig.git("rev-parse", "main"));
  expect(await rig.git("ls-tree", "--name-only", "main")).not.toContain("bad.txt");
});

test("V6 a check that hangs, forks or hides is ended with everything it started", async () => {
  await using rig = await open("setsid sleep 1000 & sleep 1000 & touch ../../../in-the-checkout; sleep 1000");
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  await session.post("merge", {});
  const red = await reviewed(session, "changes_requested");
  expect(red.checks).toMatchObject({ state: "failed", reason: "It took longer than 2 s" });
  const sent = await until(() => session.all("message").find(({ by }) => by === "server"));
  expect(sent.content).toContain("took longer than 2 s");
  expect(processesOfSession(rig, `${session.id}-checks`)).toEqual([]);
  // It can write what the user can, and that shows.
  expect(await rig.git("status", "--porcelain")).toBe("?? in-the-checkout");
});

test("V6 a check is not a person", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const { url, token } = rig.server;
  const script = `fetch("${url}/api/sessions/${session.id}/merge", { method: "POST", body: "{}", headers: { authorization: "Bearer ${token}" } })
    .then(async (answer) => { console.log(answer.status, await answer.text()); process.exit(1); })`;
  await setChecks(rig, [process.execPath, "-e", script]);
  await session.post("merge", {});
  const red = await reviewed(session, "changes_requested");
  expect(red.checks?.tail).toMatch(/^403 .*AGENT_CANNOT/);
});

test("the result is checked again if the target has moved meanwhile", async () => {
  await using rig = await open(
    'echo x >> "$HOME/checks"; while [ -e "$HOME/wait" ]; do sleep 0.02; done; test -e new.txt',
  );
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  await writeFile(join(rig.home, "wait"), "");
  await session.post("merge", {});
  await until(async () => (await readFile(join(rig.home, "checks"), "utf8").catch(() => "")) !== "");
  await rig.git("commit", "-q", "--allow-empty", "-m", "same files");
  await writeFile(join(rig.work, "later.txt"), "later");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "later");
  await rm(join(rig.home, "wait"));
  await reviewed(session, "merged");
  expect(await readFile(join(rig.home, "checks"), "utf8")).toBe("x\nx\n");
  expect(await rig.git("ls-tree", "--name-only", "main")).toMatch(/later.txt\nnew.txt/);
});

test("V6 a link that takes the place of the checks' directory is not followed", async () => {
  const replace = 'cd ../.. && mv .checks .old && mkdir -p "$HOME/mine/fox" && touch "$HOME/mine/fox/kept"';
  await using rig = await open(`${replace} && ln -s "$HOME/mine" .checks`, "touch followed");
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  await session.post("merge", {});
  const refused = await until(() => session.all("notice").find(({ code }) => code === "MERGE_REFUSED"));
  expect(refused.facts).toMatchObject({ reason: "links" });
  expect(await readdir(join(rig.home, "mine", "fox"))).toEqual(["kept"]);
  expect((await session.get()).review?.state).toBe("open");
});

test("V5 a repository that is gone while merges wait ends these merges, not the server", async () => {
  await using rig = await open(
    'while [ ! -e "$HOME/go" ]; do sleep 0.02; done; mv ../../../.git ../../../.gone',
  );
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await Promise.all([fox.turn("write fox.txt fox"), owl.turn("write owl.txt owl")]);
  await fox.post("merge", {});
  await owl.post("merge", {});
  await writeFile(join(rig.home, "go"), "");
  for (const session of [fox, owl]) {
    await until(() => session.all("notice").some(({ message }) => message.startsWith("Not merged")));
    expect((await session.get()).review?.state).toBe("open");
  }
  await rename(join(rig.work, ".gone"), join(rig.work, ".git"));
  await setChecks(rig);
  await owl.post("merge", {});
  expect(await rig.git("ls-tree", "--name-only", "main")).toContain("owl.txt");
});
