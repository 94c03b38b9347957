// Several workers try one task, and people look at what each of them did.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({ config: quick });

const linesOf = (diff: string) => diff.split("\n").filter((line) => /^[+-](?![+-]{2} )/.test(line));
const diffWith = async (worker: Worker, other: string, more = "") =>
  (await worker.rig.client.ask<string>("GET", worker.path(`/diff?with=${other}${more}`))).body;

test("workers of one batch are listed apart from others, and each has its last line", async () => {
  await using rig = await worktreesOn(shared);
  await using one = await spawn(rig, "say Looking around\nsay Found it\nsignal done", { batch: "tries-1" });
  await using two = await spawn(rig, "say Not here\nhang", { batch: "tries-1" });
  await using other = await spawn(rig, "signal done");
  await one.ended();
  await other.ended();
  const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?batch=tries-1");
  expect(sessions.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
  expect((await one.get()).worker).toMatchObject({ batch: "tries-1", lastLine: "Found it" });
  await until(async () => (await two.get()).worker?.lastLine === "Not here");
  expect((await other.get()).worker?.batch).toBeUndefined();
  const malformed = await rig.client.ask("POST", "/api/workers", {
    body: { agent: "demo", cwd: rig.work, prompt: "signal done", batch: "Tries 1" },
  });
  expect(malformed.status).toBe(400);
  await two.post("stop");
});

test("the work of two sessions in one repository is compared, uncommitted files included, and stays as it is", async () => {
  await using rig = await worktreesOn(shared);
  await using one = await spawn(rig, "write kept.txt two\nwrite same.txt same\nsignal done", { name: "ant" });
  await using two = await spawn(rig, "write kept.txt three\nwrite same.txt same\nsignal done", {
    name: "bee",
  });
  await Promise.all([one.ended(), two.ended()]);
  await writeFile(join(one.tree, "only-here.txt"), "mine\n");
  await writeFile(join(two.tree, "kept.txt"), "four\n");
  const states = () => Promise.all([one, two].map((each) => each.git("status", "--porcelain")));
  const before = await states();
  expect(linesOf(await diffWith(one, "bee"))).toEqual(["-four", "+two", "+mine"]);
  expect(linesOf(await diffWith(two, one.id))).toEqual(["-two", "+four", "-mine"]);
  expect(linesOf(await diffWith(one, "bee", "&path=only-here.txt"))).toEqual(["+mine"]);
  const { files } = await rig.client.get<WorkspaceChanges>(one.path("/workspace?with=bee"));
  expect(files.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "kept.txt modified",
    "only-here.txt added",
  ]);
  const lines = one.path("/file?with=bee&path=kept.txt&side=before&from=1&to=1");
  expect(await rig.client.get(lines)).toMatchObject({ lines: ["four"] });
  expect(await states()).toEqual(before);

  const plain = await rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: rig.work });
  const refused = async (query: string) => {
    const { status, body } = await rig.client.ask("GET", one.path(`/diff?${query}`));
    return [status, body["code"]];
  };
  expect(await refused(`with=${plain.name}`)).toEqual([400, "UNSUPPORTED"]);
  expect(await refused("with=nobody")).toEqual([404, "NOT_FOUND"]);
  expect(await refused("with=bee&against=base")).toEqual([400, "BAD_REQUEST"]);
});
