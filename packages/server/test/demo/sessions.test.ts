import { readdirSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { demoWithSession, place, startDemo } from "./harness.ts";

const unknownId = "00000000-0000-4000-8000-000000000000";

describe("the demo agent's sessions", () => {
  it("report what they can do", async () => {
    await using where = await place();
    await using demo = await startDemo(where);
    const answer = await demo.agent.request(methods.agent.initialize, { protocolVersion: 1 });
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "demo", title: "Demo", version: expect.stringMatching(/./) },
      agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, list: {}, close: {} } },
    });
  });

  it("can be loaded in a new process, replayed and continued; tool call ids start over", async () => {
    await using where = await place();
    const first = await demoWithSession(where);
    await first.prompt("say Hello", "read .");
    await expect(first.prompt("say Still here", "crash")).rejects.toThrow();
    expect(await first.exit()).toBe(1);

    await using second = await startDemo(where);
    await second.loadSession(first.sessionId);
    const replayed = second.updates.map((update) => [
      update.sessionUpdate,
      "content" in update && update.content && "text" in update.content ? update.content.text : undefined,
    ]);
    expect(replayed).toEqual([
      ["user_message_chunk", "say Hello\nread ."],
      ["agent_message_chunk", "Hello\n"],
      ["user_message_chunk", "say Still here\ncrash"],
    ]);
    expect(await second.prompt("read .")).toMatchObject({ stopReason: "end_turn" });
    expect(second.calls.map(({ toolCallId }) => toolCallId)).toEqual(["call_1"]);
  });

  it("can be resumed without a replay, in the given directory", async () => {
    await using where = await place();
    await using elsewhere = await place();
    const first = await demoWithSession(where);
    await first.prompt("say Hello");
    await first[Symbol.asyncDispose]();

    await using second = await startDemo(where);
    const { sessionId } = first;
    await second.agent.request(methods.agent.session.resume, { sessionId, cwd: elsewhere.cwd });
    expect(second.updates).toEqual([]);
    const { sessions } = await second.agent.request(methods.agent.session.list, { cwd: elsewhere.cwd });
    expect(sessions).toMatchObject([{ sessionId, cwd: elsewhere.cwd, title: "say Hello" }]);
    const others = await second.agent.request(methods.agent.session.list, { cwd: where.cwd });
    expect(others.sessions).toEqual([]);
  });

  it("are unknown if they never existed, were damaged, or are named like a path", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const [file = ""] = readdirSync(join(where.state, "drover-demo"));
    await writeFile(join(where.state, "drover-demo", `${unknownId}.json`), '{"id":');
    for (const id of [unknownId, "none", `../drover-demo/${file.replace(".json", "")}`]) {
      await expect(demo.loadSession(id)).rejects.toMatchObject({ code: -32002 });
    }
  });

  it("are unknown once closed, until loaded again", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const { sessionId } = demo;
    await demo.agent.request(methods.agent.session.close, { sessionId });
    await expect(demo.prompt("say hello")).rejects.toMatchObject({ code: -32002 });
    await demo.loadSession(sessionId);
    expect(await demo.prompt("say hello")).toMatchObject({ stopReason: "end_turn" });
  });

  it("take one small private file each, however long the conversation", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    await demo.prompt("stream 20000");
    const directory = join(where.state, "drover-demo");
    expect(readdirSync(directory)).toEqual([`${demo.sessionId}.json`]);
    const { mode, size } = statSync(join(directory, `${demo.sessionId}.json`));
    expect(mode & 0o777).toBe(0o600);
    expect(size).toBeLessThan(20_000);
  });
});
