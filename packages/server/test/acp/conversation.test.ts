import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import { maxSpeech } from "../../src/drivers/fact-batch.ts";
import { chunk, Place, RecordingHost, script } from "./support.ts";

test("P1 prompts of 200 KB and 768 KB arrive complete", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "echo" }, host);
  for (const bytes of [204_800, 786_432]) {
    const unit = 'é🐑 "quoted" \\ \t\n';
    const many = unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
    const prompt = many + "x".repeat(bytes - Buffer.byteLength(many));
    const digest = createHash("sha256").update(prompt).digest("hex");
    await connection.prompt(`trn_${bytes}`, prompt);
    await host.turnEnd(`trn_${bytes}`);
    expect(host.text.endsWith(`${digest} ${bytes}\n${prompt}`)).toBe(true);
  }
});

test("a flood of updates is recorded completely, in order and in few pieces", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "floods", args: ["--count", "100000"] }, host);
  await connection.prompt("trn_1", "go");
  await host.turnEnd("trn_1");
  const numbers = host.text.match(/\d+(?= )/g)?.map(Number) ?? [];
  expect(numbers).toHaveLength(100_000);
  expect(numbers.every((value, index) => value === index)).toBe(true);
  expect(host.facts.length).toBeLessThan(5_000);
  for (const fact of host.facts)
    if (fact.type === "text") expect(fact.text.length).toBeLessThanOrEqual(maxSpeech);
});

test("a slow host gets one call at a time", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "floods", args: ["--count", "5000"] }, host);
  const gate = Promise.withResolvers<void>();
  host.gate = () => gate.promise;
  await connection.prompt("trn_1", "go");
  const spool = join(place.dir.path, "run/stdout");
  await until(async () => (await readFile(spool, "utf8")).includes("4999 "));
  expect(host.facts).toEqual([]);
  gate.resolve();
  await host.turnEnd("trn_1");
  expect(host.text.match(/\d+(?= )/g)).toHaveLength(5_000);
});

test("S4 characters split across two reads arrive intact", async () => {
  for (const args of [[], ["--one-byte"]]) {
    await using place = await Place.make();
    const host = new RecordingHost();
    const connection = await place.open({ agent: "splits-emoji", args }, host);
    await connection.prompt("trn_1", "");
    await host.turnEnd("trn_1");
    expect(host.text).toBe("🐑 déjà vu 日本語 👩‍🌾🐕 €");
  }
});

test("S5 a line of 5 MB becomes facts of limited size; a longer one is skipped with a notice", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "long-line", args: ["--mb", "5"] }, host);
  await connection.prompt("trn_1", "");
  await host.turnEnd("trn_1");
  expect(host.text).toBe(`${"x".repeat(5_000_000)}after the long line`);
  for (const fact of host.facts)
    if (fact.type === "text") expect(fact.text.length).toBeLessThanOrEqual(maxSpeech);

  await using other = await Place.make();
  const second = new RecordingHost();
  const longer = await other.open({ agent: "long-line", args: ["--mb", "40"] }, second);
  await longer.prompt("trn_1", "");
  await second.turnEnd("trn_1");
  expect(second.text).toBe("after the long line");
  expect(second.of("notice")).toMatchObject([{ code: "LINE_SKIPPED" }]);
  expect(second.of("notice")[0]?.facts["bytes"]).toBeGreaterThan(40_000_000);
});

test("S6 each invalid line becomes one notice, and everything around it arrives", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "garbage" }, host);
  await connection.prompt("trn_1", "");
  await host.turnEnd("trn_1");
  expect(host.text).toBe(`${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `good ${n} `).join("")}the end`);
  // The empty line and the unsolicited response are not invalid.
  expect(host.of("notice").map(({ code }) => code)).toEqual(Array(8).fill("BAD_LINE"));
  expect(host.of("notice")[0]?.facts).toEqual({ excerpt: "Warning: this is not JSON" });
  for (const { facts } of host.of("notice")) expect(String(facts["excerpt"])).toMatch(/^[\P{C}]*$/u);
});

test("S7 unknown updates and notifications are ignored, and an unknown request is rejected", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "unknown-updates" }, host);
  await connection.prompt("trn_1", "");
  await host.turnEnd("trn_1");
  expect(host.text).toBe('before after {"code":-32601}');
  expect(host.facts.every(({ type }) => type === "text" || type === "turn_end")).toBe(true);
});

test("S10 interleaved parallel tool calls keep their ids", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "parallel-tools" }, host);
  await connection.prompt("trn_1", "");
  await host.turnEnd("trn_1");
  const ids = ["call-a", "call-b", "call-c"];
  expect(host.of("tool_start").map(({ toolCallId }) => toolCallId)).toEqual(ids);
  expect(host.of("tool_ready")).toEqual(
    ids.map((toolCallId) => ({ type: "tool_ready", toolCallId, input: { command: `echo ${toolCallId}` } })),
  );
  expect(host.of("tool_result")).toEqual(
    ids.toReversed().map((toolCallId) => ({
      type: "tool_result",
      toolCallId,
      status: "complete",
      result: { text: `${toolCallId} done` },
    })),
  );
});

test("a cancelled turn ends as cancelled", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "answers-after-cancel" }, host);
  await connection.prompt("trn_1", "");
  await until(() => host.text.includes("before 0"));
  await connection.cancel("trn_1");
  expect(await host.turnEnd("trn_1")).toMatchObject({ reason: "cancelled" });
});

test("the prompt's id is that of its turn", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  await connection.prompt("trn_7", script({ send: [chunk("hi")] }));
  await host.turnEnd("trn_7");
  const prompt = (await place.received()).find(({ method }) => method === "session/prompt");
  expect(prompt).toMatchObject({ id: "p:trn_7", params: { sessionId: "conversation-1" } });
});

test("an agent's exit is reported after its last output is recorded, and it takes no more input", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "dies-mid-turn" }, host);
  await connection.prompt("trn_1", "");
  const exit = await connection.ended;
  expect(exit.code).not.toBe(0);
  expect(host.text).not.toBe("");
  expect(host.of("turn_end")).toEqual([]);
  await expect(connection.prompt("trn_2", "again")).rejects.toMatchObject({ code: "AGENT_UNREACHABLE" });
  // No request is open, so there is nothing to answer.
  await connection.answer('"kit:1"', { type: "cancelled" });
});

test("X1 an agent that ignores SIGTERM is killed", async () => {
  await using place = await Place.make();
  const connection = await place.open({ agent: "ignores-term" }, new RecordingHost(), { stopGraceMs: 300 });
  await connection.stop();
  expect(isAlive(connection.pid)).toBe(false);
  expect((await connection.ended).signal).toBe("SIGKILL");
});

test("a paused agent does nothing until it is continued", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "echo" }, host);
  const state = async (): Promise<string | undefined> => {
    const stat = await readFile(`/proc/${connection.pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2)[0];
  };
  connection.pause();
  await until(async () => (await state()) === "T");
  await connection.prompt("trn_1", "hello");
  connection.unpause();
  await host.turnEnd("trn_1");
  expect(host.text).toContain("hello");
});

test("reading ends if output cannot be recorded, and the agent can still be stopped", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "echo" }, host);
  host.gate = () => Promise.reject(new Error("the disk is full"));
  await connection.prompt("trn_1", "hello");
  await connection.stop();
  expect(await connection.ended).toMatchObject({ signal: "SIGTERM" });
  expect(host.facts).toEqual([]);
});
