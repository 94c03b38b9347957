// The server is killed while it merges, updates, and works through its queue.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project, Session } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyGit, survives } from "./deadly-git.ts";
import { type Conversation, openSession, seeded } from "./support.ts";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

async function identified(rig: WorktreeRig): Promise<WorktreeRig> {
  await rig.git("config", "user.name", "A Person");
  await rig.git("config", "user.email", "person@example.com");
  return rig;
}

/** Git may take long on a busy machine, and a person would just ask again. */
const patient = { git: { timeout: "60s" } };

const isSettled = async (session: Conversation) => {
  const { review } = await session.get();
  return review?.state !== "merging" && review;
};

test("V5 kill -9 at any command of a merge: it is done or not done, and no working tree is half moved", {
  timeout: 600_000,
}, async () => {
  await using rig = await identified(await openWorktreeRig(deadlyGit()));
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  let round = 0;
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      round += 1;
      await writeFile(join(rig.treeOf("fox"), "new.txt"), `${round}\n`);
      await writeFile(join(rig.treeOf("fox"), `new-${round}.txt`), "new\n");
      await writeFile(join(rig.work, "theirs.txt"), `${round}\n`);
      await rig.git("add", "-A");
      await rig.git("commit", "-q", "-m", `theirs ${round}`);
    },
    attempt: () => session.post("merge", {}),
    check: async () => {
      const isMerged = await until(async () => {
        // A server that was killed before it began has forgotten the merge; one that had begun finishes it.
        const tips = (await rig.git("rev-parse", "main", "drover/fox")).split("\n");
        const { workspace } = await session.get();
        if (tips[0] !== tips[1]) return { value: false };
        return workspace.base?.commit === tips[0] && { value: true };
      });
      const clean = async (directory: string) => git(rig.home, directory, "status", "--porcelain");
      await until(async () => (await clean(rig.work)) === "", { what: "the checkout has followed" });
      if (isMerged.value) {
        await until(async () => (await clean(rig.treeOf("fox"))) === "", {
          what: "the worktree has followed",
        });
        expect(await readFile(join(rig.work, "new.txt"), "utf8")).toBe(`${round}\n`);
      } else {
        expect(await readFile(join(rig.treeOf("fox"), "new.txt"), "utf8")).toBe(`${round}\n`);
        await session.post("merge", {});
      }
      expect((await rig.git("log", "--oneline", "--merges", "main")).split("\n")).toHaveLength(round);
      expect(await rig.git("fsck", "--no-dangling")).toBe("");
    },
  });
  expect(commands).toBeGreaterThan(20);
});

test("V5 kill -9 at any command of an update: its conflicts are in the files, or nothing has changed", {
  timeout: 600_000,
}, async () => {
  await using rig = await identified(await openWorktreeRig(deadlyGit()));
  const sessions: Session[] = [];
  let round = 0;
  const treeOf = () => rig.treeOf(`fox-${round}`);
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      round += 1;
      const body = { agent: "demo", cwd: rig.work, ...inWorktree, name: `fox-${round}` };
      sessions.push(await rig.client.post<Session>("/api/sessions", body));
      await writeFile(join(treeOf(), "kept.txt"), "mine\n");
      await writeFile(join(rig.work, "kept.txt"), `theirs ${round}\n`);
      await writeFile(join(rig.work, `other-${round}.txt`), "other\n");
      await rig.git("add", "-A");
      await rig.git("commit", "-q", "-m", `theirs ${round}`);
    },
    attempt: () => rig.client.post(`/api/sessions/${sessions.at(-1)?.id}/update`, {}),
    check: async () => {
      const kept = () => readFile(join(treeOf(), "kept.txt"), "utf8");
      if ((await kept()) === "mine\n") {
        // The server may still be writing what it had begun.
        await rig.client.post(`/api/sessions/${sessions.at(-1)?.id}/update`, {}).catch(() => undefined);
      }
      await until(async () => (await kept()).includes("<<<<<<<"));
      await until(() => readFile(join(treeOf(), `other-${round}.txt`), "utf8").catch(() => ""));
      expect(await kept()).toMatch(/^<{7} .*\nmine\n={7}\ntheirs \d+\n>{7} .*\n$/);
      expect(await rig.git("fsck", "--no-dangling")).toBe("");
      await rig.client.delete(`/api/sessions/${sessions.at(-1)?.id}?force=1`);
    },
  });
  expect(commands).toBeGreaterThan(15);
});

test("V5 five queued merges happen once and in order, over kill -9 at any command", {
  timeout: usually(600_000, { inSoak: 3_600_000 }),
}, async () => {
  await using rig = await identified(await openWorktreeRig(deadlyGit(patient)));
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  await rig.client.patch(`/api/projects/${id}`, { checks: [["sh", "-c", "sleep 0.05"]] });
  const random = seeded(5);
  for (let round = 0; round < usually(1, { inSoak: 20 }); round++) {
    const names = [1, 2, 3, 4, 5].map((each) => `fox-${round}-${each}`);
    const sessions = await Promise.all(
      names.map((name) => openSession(rig, "demo", { ...inWorktree, name })),
    );
    for (const name of names) await writeFile(join(rig.treeOf(name), `${name}.txt`), "work\n");
    const mergeAll = async () => {
      for (const [at, session] of sessions.entries()) {
        // What an earlier server has accepted is refused by now.
        const { status } = await rig.client.ask("POST", session.path("/merge"), {
          body: { message: `Merge ${names[at]}` },
        });
        expect([202, 409]).toContain(status);
      }
      for (const session of sessions)
        await until(() => isSettled(session), { deadline: 120_000, what: "every merge is settled" });
    };
    for (let kill = 0; kill < 2; kill++) {
      const fault = { side: random() < 0.5 ? "before" : "after", at: 1 + Math.floor(random() * 60) } as const;
      expect(await survives(rig, mergeAll, fault), `${fault.side} command ${fault.at}`).toBe(false);
    }
    await mergeAll();
    const subjects = (await rig.git("log", "--first-parent", "--format=%s", "main")).split("\n").slice(0, 5);
    expect(subjects.toReversed()).toEqual(names.map((name) => `Merge ${name}`));
    expect(await rig.git("status", "--porcelain")).toBe("");
    expect(await rig.git("fsck", "--no-dangling")).toBe("");
    for (const session of sessions) await rig.client.delete(session.path("?force=1"));
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  }
});
