import type { RejectionCode } from "@drover/core";
import { describe, expect, test } from "vitest";
import { openSocket } from "../../../../test/kit/socket.ts";
import { approve, asking, create, post } from "./asking.ts";
import { newSession, startApi, type TestApi } from "./harness.ts";

describe("the same error over a socket", () => {
  const frames: Partial<Record<RejectionCode, (api: TestApi) => Promise<[string, Record<string, unknown>]>>> =
    {
      BAD_REQUEST: async () => ["session:create", {}],
      INVALID_CHARACTER: async () => ["session:create", { ...create, title: "\ud800" }],
      UNSUPPORTED: async () => ["session:create", { ...create, workspace: "container" }],
      UNSUPPORTED_CLI: async () => ["session:create", { cliType: "nobody", cwd: "/home/me" }],
      OUTSIDE_BOUNDARY: async () => ["session:create", { ...create, cwd: "/etc" }],
      NULL_BYTE: async () => ["project:add", { path: "/home/\0" }],
      AGENT_CANNOT_ANSWER: async (api) => {
        api.peer = "ses_of_the_agent";
        return ["session:deny", { sessionId: await asking(api), ...approve }];
      },
      NOT_FOUND: async () => ["session:cancel", { sessionId: "no-such-one" }],
      IDEMPOTENCY_CONFLICT: async (api) => {
        const sessionId = await newSession(api);
        await post(api, `/api/sessions/${sessionId}/messages`, { content: "one", clientMessageId: "c" });
        return ["session:send", { sessionId, content: "two", clientMessageId: "c" }];
      },
      ALREADY_RESOLVED: async (api) => {
        const sessionId = await asking(api);
        await post(api, `/api/sessions/${sessionId}/deny`, approve);
        return ["session:approve", { sessionId, ...approve }];
      },
      QUEUE_FULL: async (api) => {
        api.service.queueMax = 0;
        const sessionId = await newSession(api);
        await post(api, `/api/sessions/${sessionId}/messages`, { content: "runs" });
        return ["session:send", { sessionId, content: "too many" }];
      },
      PROMPT_TOO_LARGE: async (api) => [
        "session:send",
        { sessionId: await newSession(api), content: "x".repeat(786_433) },
      ],
      STORAGE_FULL: async (api) => {
        api.service.refusal = { code: "STORAGE_FULL", message: "The disk is full" };
        return ["session:create", create];
      },
      BUG: async (api) => {
        Object.assign(api.service.projects, { list: () => Promise.reject(new Error("secret inside")) });
        return ["project:list", {}];
      },
    };

  test.each(Object.entries(frames))("%s", async (code, cause) => {
    await using api = await startApi();
    const [type, fields] = await cause(api);
    await using socket = await openSocket(api);
    const frame = await socket.request(type, fields);
    expect(frame).toMatchObject({ type: "error", code, message: expect.stringMatching(/\w+ \w+/) });
    expect(JSON.stringify(frame)).not.toContain("secret inside");
    if (fields["sessionId"]) expect(frame["sessionId"]).toBe(fields["sessionId"]);
    const agent = fields["cliType"] ?? fields["agent"];
    // Of a frame with a forbidden character only the requestId is read.
    if (agent && code !== "INVALID_CHARACTER") expect(frame["cliType"]).toBe(agent);
  });

  test("leaves the socket open", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    socket.sendText("nonsense");
    await socket.until((frame) => frame.type === "error");
    expect(await socket.request("project:list")).toMatchObject({ type: "project:list" });
  });
});
