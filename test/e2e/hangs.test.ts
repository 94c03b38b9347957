// Files and agents that could keep the server or a session waiting forever.
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFifo } from "../../packages/server/src/process/fifo.ts";
import { usually } from "../kit/soak.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openSession } from "./support.ts";

const rig = sharedRig(async (home) => {
  await writeFile(join(home, "configured"), "Use tabs.");
  const kit = kitAgent("echo.mjs");
  return {
    agents: {
      kit,
      waits: { ...kit, instructionFile: join(home, "configured") },
      oversized: kitAgent("oversized.mjs"),
      lines: { ...kitAgent("jsonl-lines.mjs"), driver: "jsonl" },
    },
  };
});

test("H8 a FIFO is refused as an instruction file, no session starts, and the server keeps working", async () => {
  // A file that was valid when the configuration was read may have changed since.
  await rm(join(rig.home, "configured"));
  await makeFifo(join(rig.home, "configured"));
  const fifo = join(rig.home, "work", "fifo");
  await makeFifo(fifo);
  const create = (fields: object) => {
    const body = { agent: "kit", cwd: join(rig.home, "work"), ...fields };
    return rig.client.ask("POST", "/api/sessions", { body });
  };
  // More than the four threads that libuv has for files.
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => create({ instructionFile: fifo })),
    ...Array.from({ length: 8 }, () => create({ agent: "waits" })),
  ]);
  for (const { status, body } of answers) {
    expect({ status, ...body }).toMatchObject({ status: 400, code: "INSTRUCTIONS_UNREADABLE" });
    expect(body["error"]).toContain("not a regular file");
  }
  expect(await rig.client.get("/api/sessions")).toMatchObject({ sessions: [] });
  await writeFile(join(rig.home, "work", "good.md"), "Use tabs.");
  await using session = await openSession(rig, "kit", { instructionFile: join(rig.home, "work", "good.md") });
  expect(await session.turn("hello")).toMatchObject({ ok: true });
});

test("H8 a file in Drover's home is refused as an instruction file", async () => {
  await mkdir(join(rig.home, "work", "links"));
  await symlink(rig.server.droverHome, join(rig.home, "work", "links", "home"));
  for (const file of [
    join(rig.server.droverHome, "token"),
    join(rig.home, "work", "links", "home", "token"),
  ]) {
    const body = { agent: "kit", cwd: join(rig.home, "work"), instructionFile: file };
    const { status, body: answer } = await rig.client.ask("POST", "/api/sessions", { body });
    expect({ status, ...answer }).toMatchObject({ status: 400, code: "INSTRUCTIONS_UNREADABLE" });
    expect(JSON.stringify(answer)).not.toContain(rig.server.token);
  }
});

const oversized: [what: string, order: object][] = [
  ["a tool input 4,000 levels deep", { in: "input", deep: 4_000 }],
  ["an approval 100,000 levels deep", { in: "permission", deep: 100_000 }],
  ["an approval whose options are 12 MB", { in: "options", size: 12_000_000 }],
  ["a tool call id of 1 MB", { in: "id", size: 1_000_000 }],
  ["a plan of 100,000 steps", { in: "plan", count: 100_000 }],
  ["a question with 100,000 choices", { in: "choices", count: 100_000 }],
  ["5,000 tool calls at once", { in: "calls", count: 5_000 }],
  ["1,000 approvals at once", { in: "permissions", count: 1_000 }],
];
const alsoOversized: typeof oversized = [
  ["a tool input of 12 MB", { in: "input", size: 12_000_000 }],
  ["a tool input 100,000 levels deep", { in: "input", deep: 100_000 }],
  ["a tool result 4,000 levels deep", { in: "result", deep: 4_000 }],
  ["an approval of an input 4,000 levels deep", { in: "permission", deep: 4_000 }],
  ["an approval of 12 MB", { in: "permission", size: 12_000_000 }],
  ["an approval of a 12 MB diff", { in: "diff", size: 12_000_000 }],
  ["a title of 12 MB", { in: "title", size: 12_000_000 }],
  ["a tool name of 1 MB", { in: "name", size: 1_000_000 }],
  ["a question of 12 MB", { in: "question", size: 12_000_000 }],
  ["5,000 questions at once", { in: "questions", count: 5_000 }],
];

test("H8 data that is far too deep or too large ends the agent's turn, and the session remains usable", {
  timeout: 180_000,
}, async () => {
  for (const [what, order] of usually(oversized, { inSoak: [...oversized, ...alsoOversized] })) {
    await using session = await openSession(rig, "oversized");
    const done = await session.turn(JSON.stringify(order));
    expect(done, what).toMatchObject({ ok: false, reason: "error", error: { code: "AGENT_PROTOCOL" } });
    expect(await session.openInteractions(), what).toEqual([]);
    expect(await session.turn("again"), what).toMatchObject({ ok: true });
    expect(session.follower.text(), what).toBe("again");
  }
});

test("H8 a tool result of 12 MB is shortened, and the turn continues", async () => {
  await using session = await openSession(rig, "oversized");
  expect(await session.turn(JSON.stringify({ in: "result", size: 12_000_000 }))).toMatchObject({ ok: true });
  const [result] = session.all("tool_result");
  expect(result).toMatchObject({ toolCallId: "call-1", status: "complete" });
  expect(JSON.stringify(result).length).toBeLessThan(100_000);
  expect(JSON.stringify(result)).toContain("characters left out; the raw log has all of it");
});

test("H8 a line of JSON that is nested too deeply also ends the turn of a program without a protocol", async () => {
  await using session = await openSession(rig, "lines");
  const deep = `{"type":"word","text":${"[".repeat(4_000)}${"]".repeat(4_000)}}`;
  const done = await session.turn(deep);
  expect(done).toMatchObject({ ok: false, reason: "error", error: { code: "AGENT_PROTOCOL" } });
  expect(await session.turn('{"type":"result"}')).toMatchObject({ ok: true });
});
