// Output that no agent should write: it is shown if possible, reported if not, and never harms the server.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openRig, openSession, type Rig } from "./support.ts";

/** For tests that don't measure memory. */
const shared = sharedRig({
  agents: {
    split: kitAgent("splits-emoji.mjs"),
    "one-byte": kitAgent("splits-emoji.mjs", "--one-byte"),
    long: kitAgent("long-line.mjs", "--mb", "5"),
    garbage: kitAgent("garbage.mjs"),
    unknown: kitAgent("unknown-updates.mjs"),
    late: kitAgent("answers-after-cancel.mjs"),
  },
});

const megabytes = (rig: Rig, field: "VmHWM" | "VmRSS") => {
  const status = readFileSync(`/proc/${rig.server.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

test.for([
  ["S4 characters split across two reads arrive whole", "split"],
  ["S5 a line that is written byte by byte arrives whole", "one-byte"],
] as const)("%s", async ([, agent]) => {
  const text = "🐑 déjà vu 日本語 👩‍🌾🐕 € end";
  await using session = await openSession(shared, agent);
  expect(await session.turn(text)).toMatchObject({ ok: true });
  expect(session.follower.text()).toBe(text);
  expect(session.all("notice")).toEqual([]);
});

test("S5 a line of five megabytes is shown whole", async () => {
  await using session = await openSession(shared, "long");
  expect(await session.turn("go")).toMatchObject({ ok: true });
  const text = session.follower.text();
  expect(text.length).toBe(5_000_000 + "after the long line".length);
  expect(text).toMatch(/^x+after the long line$/);
});

test("S5 a line of two hundred megabytes is skipped with a notice, and the server's memory does not grow with it", async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("long-line.mjs", "--mb", "200") } });
  await using session = await openSession(rig);
  const before = megabytes(rig, "VmRSS");
  expect(await session.turn("go")).toMatchObject({ ok: true });
  expect(session.follower.text()).toBe("after the long line");
  expect(session.all("notice")).toMatchObject([{ code: "LINE_SKIPPED" }]);
  // The part up to the line limit is kept, and garbage is collected at some point: less memory than the whole line.
  expect(megabytes(rig, "VmHWM") - before).toBeLessThan(190);
  const log = await rig.client.ask("GET", session.path("/log?offset=200000000"));
  expect(Number(log.headers.get("x-log-bytes"))).toBeGreaterThan(200_000_000);
  expect(await session.turn("again"), "the session still works").toMatchObject({ ok: true });
});

test("S6 each line that is not a message gets a notice, and all valid lines between them arrive", async () => {
  await using session = await openSession(shared, "garbage");
  expect(await session.turn("go")).toMatchObject({ ok: true, reason: "end_turn" });
  const good = Array.from({ length: 10 }, (_, n) => `good ${n} `).join("");
  expect(session.follower.text()).toBe(`${good}the end`);
  const notices = session.all("notice");
  expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(["BAD_LINE"]));
  expect(notices.length).toBe(8);
  expect(JSON.stringify(notices)).toContain("Warning: this is not JSON");
  expect(await session.turn("again")).toMatchObject({ ok: true });
});

test("S7 unknown updates and notifications are ignored, and an unknown request gets an error", async () => {
  await using session = await openSession(shared, "unknown");
  expect(await session.turn("go")).toMatchObject({ ok: true });
  expect(session.follower.text()).toBe('before after {"code":-32601}');
  expect(session.all("error")).toEqual([]);
});

test("a hundred thousand updates arrive whole, and the server's memory does not grow with them", {
  timeout: 180_000,
}, async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("floods.mjs", "--bytes", "250") } });
  await using session = await openSession(rig);
  const before = megabytes(rig, "VmRSS");
  expect(await session.turn("go", { deadline: 150_000 })).toMatchObject({ ok: true });
  const text = session.follower.text();
  const said = text.match(/\d+ x+/g) ?? [];
  expect(said.length).toBe(100_000);
  expect(said.findIndex((part, n) => !part.startsWith(`${n} x`))).toBe(-1);
  expect(megabytes(rig, "VmHWM") - before).toBeLessThan(250);

  const items = (await session.items()).filter(({ kind }) => kind === "text");
  expect(hashOf(items.map((item) => item.text ?? "").join(""))).toBe(hashOf(text));
});

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("S11 output that an agent writes after it was cancelled is not added to the ended turn", async () => {
  await using session = await openSession(shared, "late");
  const turns: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { messageId, turnId } = await session.send("talk");
    turns.push(turnId ?? "");
    await until(() => session.all("text_delta").some((event) => event.turnId === turnId));
    expect(await session.post("interrupt")).toEqual({ turnId });
    expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false, partial: true });
  }
  expect((await session.get()).run, "it was asked to end, not killed").toBe(1);
  // Late output of one turn is in the log before the first word of the next.
  for (const turnId of turns.slice(0, -1)) {
    const events = session.follower.events.filter((event) => event.turnId === turnId);
    expect(events.filter(({ type }) => type === "done").length).toBe(1);
    expect(events.at(-1)?.type).toBe("done");
  }
});
