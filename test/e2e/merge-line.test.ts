// What happens to merges that wait in line, and to their checks.
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Project, Review } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, openSession, processesOfSession } from "./support.ts";
import { inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

/** A git that locks the checkout's index as soon as it has moved branches, if it was asked to. */
const lockingGit = (real: string) => `#!/bin/sh
${real} "$@"
code=$?
case " $* " in *" update-ref "*) mv "$HOME/lock" "$HOME/work/.git/index.lock" 2> /dev/null ;; esac
exit $code
`;

const shared = sharedRig(async (home) => {
  const path = process.env["PATH"] ?? "";
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin", "git"), lockingGit(`PATH='${path}' git`));
  await chmod(join(home, "bin", "git"), 0o755);
  return { config: { supervision: { stopGrace: "200ms" } }, env: { PATH: `${join(home, "bin")}:${path}` } };
});

/** A check that waits as long as `$HOME/wait` exists, and writes down that it runs. */
const waiting = `echo "$DROVER_SESSION" >> "$HOME/checks"; while [ -e "$HOME/wait" ]; do sleep 0.05; done`;

/** A project whose checks wait. */
async function open(): Promise<WorktreeRig> {
  const rig = await worktreesOn(shared);
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  await setChecks(rig, ["sh", "-c", waiting]);
  await rm(join(rig.home, "checks"), { force: true });
  await writeFile(join(rig.home, "wait"), "");
  return rig;
}

async function setChecks(rig: WorktreeRig, ...checks: string[][]): Promise<void> {
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { checks });
}

const release = (rig: WorktreeRig) => rm(join(rig.home, "wait"));

const checksOf = (rig: WorktreeRig, session: Conversation) =>
  until(
    async () =>
      (await readFile(join(rig.home, "checks"), "utf8").catch(() => "")).includes(session.id) &&
      processesOfSession(rig, `${session.id}-checks`).length > 0,
    { what: "the check runs" },
  );

const reviewed = (session: Conversation, state: Review["state"]) =>
  session.follower.until<EventOf<"review">>((event) => event.type === "review" && event.state === state);

const notice = (session: Conversation, code: string) =>
  session.follower.until<EventOf<"notice">>((event) => event.type === "notice" && event.code === code);

test("V6 while checks run the review can be read, and what changes meanwhile is not merged unseen", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const before = await rig.git("rev-parse", "main");
  await session.post("merge", {});
  await checksOf(rig, session);
  const review = () => rig.client.get<Review>(session.path("/review"));
  expect(await review()).toMatchObject({ state: "merging", checks: { state: "running" } });
  const again = await rig.client.ask("POST", session.path("/merge"), { body: {} });
  expect(again).toMatchObject({ status: 409, body: { reason: "merging" } });
  await session.turn("write new.txt two");
  expect(await review()).toMatchObject({ state: "merging", checks: { state: "running" } });
  await release(rig);
  expect((await notice(session, "INPUT_CHANGED")).message).toContain("has changed since");
  expect((await review()).state).toBe("open");
  expect(await rig.git("rev-parse", "main")).toBe(before);
  await session.post("merge", {});
  await reviewed(session, "merged");
  expect(await rig.git("show", "main:new.txt")).toBe("two");
});

test("V5 a session that is deleted leaves the line, and its checks end", async () => {
  await using rig = await open();
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await Promise.all([fox.turn("write fox.txt one"), owl.turn("write owl.txt one")]);
  await fox.post("merge", {});
  await checksOf(rig, fox);
  await owl.post("merge", {});
  await rig.client.delete(fox.path("?force=1"));
  await checksOf(rig, owl);
  expect(processesOfSession(rig, `${fox.id}-checks`)).toEqual([]);
  await release(rig);
  await reviewed(owl, "merged");
  expect(await rig.git("ls-tree", "--name-only", "main")).not.toContain("fox.txt");
  expect(await readdir(join(rig.work, ".drover-worktrees", ".checks"))).toEqual([]);
});

test("V5 a server that shuts down ends the checks, and the next one starts them again", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const before = await rig.git("rev-parse", "main");
  await session.post("merge", {});
  await checksOf(rig, session);
  await rig.server.term();
  expect(processesOfSession(rig, `${session.id}-checks`)).toEqual([]);
  expect(await rig.git("rev-parse", "main")).toBe(before);
  await release(rig);
  await rig.start();
  expect((await reviewed(session, "merged")).mergedAs).toBe(await rig.git("rev-parse", "main"));
  expect(session.all("message").filter(({ by }) => by === "server")).toEqual([]);
  expect((await readFile(join(rig.home, "checks"), "utf8")).trim().split("\n")).toHaveLength(2);
});

test("V2 a merge whose checkout can't follow is finished when somebody looks at it", async () => {
  await using rig = await open();
  await setChecks(rig);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  await reviewed(session, "open");
  await writeFile(join(rig.home, "lock"), "");
  const answer = await rig.client.ask("POST", session.path("/merge"), { body: {} });
  expect(answer).toMatchObject({ status: 409, body: { reason: "unfinished" } });
  expect(await rig.git("show", "main:new.txt")).toBe("one");
  await rm(join(rig.work, ".git", "index.lock"));
  const review = await rig.client.get<Review>(session.path("/review"));
  expect(review).toMatchObject({ state: "merged", mergedAs: await rig.git("rev-parse", "main") });
  expect(await rig.git("status", "--porcelain")).toBe("");
  expect(session.all("notice").filter(({ code }) => code === "MERGED")).toHaveLength(1);
});

test("V6 a check that floods, litters, deletes its place or looks for a repository is contained and named", async () => {
  await using rig = await open();
  const script = `echo "git: \${GIT_DIR-none}"; git commit --allow-empty -m evil; mkdir -p many locked/in; touch locked/in/file; chmod 500 locked/in locked
    cd many; seq 2000 | xargs touch; cd ..; yes | head -c 100000000; echo; echo the end; rm -rf "$PWD"; exit 1`;
  await setChecks(rig, ["sh", "-c", script]);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write new.txt one");
  const before = await rig.git("rev-parse", "main", "drover/fox");
  await session.post("merge", {});
  const { checks } = await reviewed(session, "changes_requested");
  expect(checks?.tail?.length).toBeLessThan(5_000);
  expect(checks?.tail).toContain("the end");
  expect(checks?.tail).toContain("not a git repository");
  const output = await readFile(
    join(rig.home, ".drover", "sessions", session.id, "checks", "stdout"),
    "utf8",
  );
  expect(output.slice(0, 20)).toContain("git: none");
  const { messageId } = await until(() => session.all("message").find(({ by }) => by === "server"));
  await session.done(messageId);
  expect(await rig.git("rev-parse", "main", "drover/fox")).toBe(before);
  expect(await readdir(join(rig.work, ".drover-worktrees", ".checks"))).toEqual([]);
  expect(await rig.git("status", "--porcelain")).toBe("");
});
