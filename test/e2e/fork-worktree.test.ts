// Forks with a worktree of their own.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Item, Session } from "@drover/core";
import { expect, test } from "vitest";
import { openTracked } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { Conversation, drover } from "./support.ts";

const rig = sharedRig({});

const seqOf = (items: readonly Item[], kind: Item["kind"], text: string) =>
  items.find((item) => item.kind === kind && item.text?.includes(text))?.seq ?? 0;
const inTree = ({ workspace }: Session, name: string) =>
  readFile(join(workspace.path, name), "utf8").catch(() => undefined);

test("T5 a fork in a worktree has the files of that moment, and the transcript up to it", async () => {
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await tracked.write("loose.txt", "loose\n");
  await tracked.change("write kept.txt two\nsay first is done");
  await tracked.change("write kept.txt three\nwrite new.txt new\nsay second is done");
  await tracked.write("kept.txt", "four\n");
  const items = await session.items();
  const fork = (body: object) =>
    rig.client.post<Session>(session.path("/fork"), { workspace: "worktree", ...body });
  const files = async (forked: Session) => [
    await inTree(forked, "kept.txt"),
    await inTree(forked, "new.txt"),
    await inTree(forked, "loose.txt"),
  ];
  // In the middle of the second turn: as it was before it.
  const middle = await fork({ at: seqOf(items, "user", "write kept.txt three") });
  expect(await files(middle)).toEqual(["two", undefined, "loose\n"]);
  expect(middle.workspace).toMatchObject({
    mode: "worktree",
    base: { commit: await tracked.git("rev-parse", "main") },
  });
  const copied = await new Conversation(rig, middle.id).items();
  const texts = copied.flatMap(({ kind, text }) => (kind === "text" || kind === "notice" ? [text] : []));
  expect(texts.join("").trim()).toBe("first is done");
  // At the end of the second turn: as it left them. Without a moment: as they are now.
  expect(await files(await fork({ at: seqOf(items, "text", "second is done") }))).toEqual([
    "three",
    "new",
    "loose\n",
  ]);
  const now = await fork({});
  expect(await files(now)).toEqual(["four\n", "new", "loose\n"]);
  // What differs from the last commit is uncommitted, and the original is untouched.
  const { body } = await rig.client.ask<{ files: { path: string; status: string }[] }>(
    "GET",
    `/api/sessions/${now.id}/workspace`,
  );
  expect(body.files.map(({ path, status }) => `${status} ${path}`)).toEqual([
    "modified kept.txt",
    "untracked loose.txt",
    "untracked new.txt",
  ]);
  expect(await tracked.read("kept.txt")).toBe("four\n");
  const bad = await rig.client.ask("POST", session.path("/fork"), {
    body: { workspace: "worktree", at: 9_999 },
  });
  expect(bad).toMatchObject({ status: 400, body: { issues: [{ path: "at" }] } });
});

test("T5 the fork's agent gets the transcript with its first prompt, and its turns can be undone", async () => {
  await using tracked = await openTracked(rig);
  await tracked.change("write kept.txt two\nsay remember the number 4711");
  const { code, stderr } = await drover(
    rig.home,
    "fork",
    tracked.session.id,
    "--worktree",
    "--title",
    "other",
  );
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Created \S+ from \S+ in \/.*\.drover-worktrees/),
  ]);
  const [, name = ""] = /^Created (\S+)/.exec(stderr) ?? [];
  const forked = new Conversation(rig, (await rig.client.get<Session>(`/api/sessions/${name}`)).id);
  const { turnId } = await forked.turn("write kept.txt three");
  expect(await inTree(await forked.get(), "kept.txt")).toBe("three");
  expect((await drover(rig.home, "undo", name, "--turn", turnId)).code).toBe(0);
  expect(await inTree(await forked.get(), "kept.txt")).toBe("two");
  expect(await tracked.read("kept.txt")).toBe("two");
  const { body: raw } = await rig.client.ask<string>("GET", forked.path("/log"));
  expect(JSON.stringify(raw)).toContain("4711");
});
