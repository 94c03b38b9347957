// Programs whose output is the answer and whose exit ends the turn.
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { heldIn, kitAgent, openSession, processesOfSession, release, teed } from "./support.ts";

const text = (program: string, ...args: string[]) => ({ ...kitAgent(program, ...args), driver: "text" });

const rig = sharedRig((home) => {
  const slow = ["--count", "800", ...heldIn(home)];
  const copied = (copy: string, ...more: string[]) => ({
    ...teed(join(home, copy), kitAgent("text-slow.mjs", ...slow, ...more)),
    driver: "text",
  });
  return {
    agents: {
      colored: text("text-slow.mjs", "--copy", join(home, "copy")),
      failing: text("text-slow.mjs", "--after", "9"),
      stdin: text("text-hash.mjs"),
      file: { ...text("text-hash.mjs", "--file"), prompt: "file" },
      flag: { ...text("text-hash.mjs"), prompt: { flag: "--say" } },
      ...{ good: copied("good"), bad: copied("bad", "--after", "5") },
      held: text("text-slow.mjs", "--count", "300", ...heldIn(home)),
    },
  };
});

const answer = (lines: number): string => Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");

test("a program's output without its colours is its answer, and the raw log keeps every byte", async () => {
  await using session = await openSession(rig, "colored");
  expect(await session.turn("hello")).toMatchObject({ ok: true, reason: "end_turn" });
  expect(session.follower.text()).toBe(answer(3));
  expect((await session.get()).capabilities).toMatchObject({
    completion: "exit",
    approvals: "none",
    resume: false,
  });
  const { body } = await rig.client.ask("GET", session.path("/log"));
  expect(body).toBe(await readFile(join(rig.home, "copy"), "utf8"));
  expect(body).toContain("\u001b[32m");
});

test("an exit code other than 0 is a failure, reported with the program's last output", async () => {
  await using session = await openSession(rig, "failing");
  const done = await session.turn("hello");
  expect(done).toMatchObject({
    ok: false,
    partial: true,
    reason: "crashed",
    error: { code: "AGENT_CRASHED" },
  });
  expect(done.error).toMatchObject({ stderrTail: "the last word\n" });
  expect(done.error?.message).toMatch(/exit code 9 .* It said: the last word$/);
});

test("P1 200 KB and 768 KB arrive whole on standard input and in a file, and an argument takes only short prompts", async () => {
  const prompt = `${"aé€😀".repeat(78_643)}xy`;
  expect(Buffer.byteLength(prompt)).toBe(786_432);
  for (const content of [prompt.slice(0, 60_000), prompt]) {
    const hash = createHash("sha256").update(content).digest("hex");
    for (const agent of ["stdin", "file"]) {
      await using session = await openSession(rig, agent);
      expect(await session.turn(content)).toMatchObject({ ok: true });
      expect(session.follower.text()).toBe(`${hash} ${Buffer.byteLength(content)}\n`);
    }
  }
  await using session = await openSession(rig, "flag");
  const refused = await rig.client.ask("POST", session.path("/messages"), { body: { content: prompt } });
  expect(refused).toMatchObject({ status: 413, body: { code: "PROMPT_TOO_LARGE" } });
});

for (const how of ["kill9", "term"] as const) {
  test(`X8 a text program is found again after ${how} of the server, with every byte and its exit code`, async () => {
    for (const file of ["released", "good", "bad"]) await rm(join(rig.home, file), { force: true });
    await using good = await openSession(rig, "good");
    await using bad = await openSession(rig, "bad");
    const sent = await Promise.all([good, bad].map((session) => session.send("go")));
    for (const session of [good, bad]) await until(() => session.follower.text().length > 200);
    await rig.server[how]();
    expect(processesOfSession(rig, good.id)).not.toEqual([]);
    await release(rig);
    await rig.start();
    expect(await good.done(sent[0]?.messageId ?? "")).toMatchObject({ ok: true });
    const failed = await bad.done(sent[1]?.messageId ?? "");
    expect(failed).toMatchObject({ ok: false, error: { code: "AGENT_CRASHED" } });
    expect(failed.error?.message).toContain("exit code 5");
    for (const [session, copy] of [[good, "good"] as const, [bad, "bad"] as const]) {
      expect(session.follower.text()).toBe(answer(800));
      const { body } = await rig.client.ask("GET", session.path("/log"));
      expect(body).toBe(await readFile(join(rig.home, copy), "utf8"));
      expect(session.all("done")).toHaveLength(1);
    }
  });
}

test("X8 the next server knows how a text program ended while no server ran", async () => {
  await rm(join(rig.home, "released"), { force: true });
  await using session = await openSession(rig, "held");
  const { messageId } = await session.send("go");
  await until(() => session.follower.text().length > 50);
  await rig.server.kill9();
  await release(rig);
  await until(() => processesOfSession(rig, session.id).length === 0);
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ ok: true });
  expect(session.follower.text()).toBe(answer(300));
});
