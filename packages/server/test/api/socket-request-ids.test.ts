import { describe, expect, test } from "vitest";
import { openSocket } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import { messagesFor } from "../../src/api/ws/messages.ts";
import { operations } from "../../src/operations/index.ts";
import { newSession, startApi } from "./harness.ts";

const socketMessages = messagesFor(operations);

describe("S13 a requestId", () => {
  const arguments_: Record<string, Record<string, unknown>> = {
    "session:create": { agent: "demo", cwd: "/home/me" },
    "session:send": { content: "hello" },
    "session:approve": { toolCallId: "x" },
    "session:deny": { toolCallId: "x" },
    "session:answer": { toolCallId: "x", answers: {} },
    "project:add": { path: "/home/me/p" },
    "project:remove": { projectId: "prj_x" },
  };
  const answers: Record<string, string> = {
    "session:create": "session:created",
    "session:open": "session:history",
    "session:send": "session:accepted",
    "session:list": "session:list",
    "project:list": "project:list",
    "project:add": "project:added",
    // There is nothing to decide and no such project: their errors carry it as well.
    "session:approve": "error",
    "session:deny": "error",
    "session:answer": "error",
    "project:remove": "error",
  };

  test.each(Object.keys(socketMessages))("is on the answer to %s and on its errors", async (type) => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    const isOfSession = type.startsWith("session:") && !["session:create", "session:list"].includes(type);
    const fields = { ...(isOfSession ? { sessionId: id } : {}), ...arguments_[type] };
    const answer = await socket.request(type, fields);
    expect(answer.type).toBe(answers[type] ?? "ok");
    const refused = await socket.request(type, { ...fields, unheardOf: true });
    expect(refused).toMatchObject({ type: "error", code: "BAD_REQUEST", issues: [{ path: "unheardOf" }] });
    if (isOfSession) expect(refused["sessionId"]).toBe(id);
  });

  test("is found in invalid JSON, unknown messages and non-objects if it can be read", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const sent: [string, unknown][] = [
      ['{"type":"session:list","requestId":"a1",}', "a1"],
      ['{"requestId" : "a\\"2", "type":', 'a"2'],
      ['{"requestId":3,"type":"session:list"', 3],
      ['{"requestId":"a4","type":"no:such"}', "a4"],
      ['{"requestId":"a5"}', "a5"],
      ['{"requestId":"a6","type":"session:send","sessionId":"x","content":"\\u0000"}', "a6"],
      ['{"requestId":{"an":"object"},"type":"session:list"}', undefined],
      ["[]", undefined],
      ["nonsense", undefined],
      ['"requestId"', undefined],
    ];
    for (const [frame] of sent) socket.sendText(frame);
    await until(() => socket.frames.length === sent.length);
    expect(socket.frames.map(({ requestId }) => requestId)).toEqual(sent.map(([, requestId]) => requestId));
    for (const frame of socket.frames) {
      expect(frame.type).toBe("error");
      expect(["BAD_REQUEST", "INVALID_CHARACTER"]).toContain(frame["code"]);
    }
    expect(await socket.request("project:list")).toMatchObject({ type: "project:list", projects: [] });
  });

  test("matches concurrent answers to their requests", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const names = Array.from({ length: 40 }, (_, i) => `session-${i}`);
    const made = await Promise.all(
      names.map((name) => socket.request("session:create", { cliType: "demo", cwd: "/home/me", name })),
    );
    expect(made.map((frame) => (frame["session"] as { name: string }).name)).toEqual(names);
  });
});
