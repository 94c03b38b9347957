// `drover demo`: a scratch repository with three sessions in it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interaction, Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { gitIn } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover } from "./support.ts";

const rig = sharedRig({});

test("drover demo leaves a commit, changed files and an open approval, and can be run again", async () => {
  const top = join(rig.home, "drover-demo");
  const first = await drover(rig.home, "demo");
  expect([first.code, first.stdout]).toEqual([0, ""]);
  expect(first.stderr).toMatch(/^Three agents work in \S+drover-demo, each in its own worktree:\n/);
  const [committed = "", changed = "", asking = ""] = [...first.stderr.matchAll(/^ {2}(\S+) .*: it /gm)].map(
    ([, name]) => name ?? "",
  );
  const git = gitIn(top);
  expect(await git("log", "-1", "--format=%an %s", `drover/${committed}`)).toBe("Demo Keep accented letters");
  expect(await git("log", "--format=%an %s", "main")).toBe("Drover Demo Start");
  expect(await git("status", "--porcelain")).toBe("");
  expect((await drover(rig.home, "diff", changed)).stdout).toContain("+# slug: titles as addresses");
  const { id } = await rig.client.get<Session>(`/api/sessions/${asking}`);
  const open = `/api/interactions?sessionId=${id}`;
  const [approval] = (await rig.client.get<{ interactions: Interaction[] }>(open)).interactions;
  expect((await drover(rig.home, "permit", "allow", approval?.id ?? "")).code).toBe(0);
  await until(async () => (await rig.client.get<Session>(`/api/sessions/${asking}`)).lastTurn?.ok);
  expect((await drover(rig.home, "undo", changed)).stderr).toMatch(
    /^Put back 2 files: CHANGES.md, README.md/,
  );

  const again = await drover(rig.home, "demo", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ directory: top, sessions: [{}, {}, {}] });
  expect(await git("log", "--format=%s", "main")).toBe("Start");
});

test("drover demo leaves a directory alone that has something else in it", async () => {
  const work = join(rig.home, "work");
  await writeFile(join(work, "mine.txt"), "mine\n");
  const { code, stderr } = await drover(rig.home, "demo", work);
  expect([code, stderr]).toEqual([2, expect.stringContaining("is not empty")]);
  const file = await drover(rig.home, "demo", "workers", join(work, "mine.txt"));
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("can't be used as a directory")]);
});
