import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { methods, RequestError } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import { type Answers, actionsIn, choose, type Demo, demoWithSession, place, textIn } from "./harness.ts";

/** The error that a prompt ends in. */
async function failure(turn: Promise<unknown>): Promise<RequestError> {
  const error = await turn.then(
    () => new Error("The turn did not fail"),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(RequestError);
  return error;
}

describe("a turn of the demo agent", () => {
  it("can end in an error with a given message and no output after it", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const error = await failure(demo.prompt("say before", "fail The oven is cold", "say after"));
    expect(error).toMatchObject({
      code: -32603,
      message: "The oven is cold",
      data: { errorKind: "model_error" },
    });
    expect(demo.text).toBe("before\n");
    expect(await demo.prompt("say again")).toMatchObject({ stopReason: "end_turn" });
  });

  it("can end in a usage limit that gives the second at which it resets", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const before = Math.floor(Date.now() / 1000);
    const { data } = await failure(demo.prompt("limit 3600"));
    const after = Math.floor(Date.now() / 1000);
    const { errorKind, resetsAt } = data as { errorKind: string; resetsAt: number };
    expect(errorKind).toBe("usage_limit");
    expect(resetsAt).toBeGreaterThanOrEqual(before + 3600);
    expect(resetsAt).toBeLessThanOrEqual(after + 3600);
  });

  it.each([
    ["crash", 1],
    ["crash 7", 7],
  ])("ends its process at %j, after sending all output", async (line, code) => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    await expect(demo.prompt("stream 500", line, "say after")).rejects.toThrow();
    expect(await demo.exit()).toBe(code);
    expect(demo.chunks).toHaveLength(500);
  });

  it("answers a prompt during another turn with an error, and continues the first", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const first = demo.prompt("say begun", "hang");
    await until(() => demo.chunks.length === 1);
    expect(await failure(demo.prompt("say second"))).toMatchObject({ code: -32600 });
    await demo.cancel();
    expect(await first).toMatchObject({ stopReason: "cancelled" });
  });
});

describe("cancelling a turn of the demo agent", () => {
  async function cancelled(lines: string[], when: (demo: Demo) => unknown, answers: Answers = {}) {
    await using where = await place();
    await using demo = await demoWithSession(where, answers);
    const turn = demo.prompt(...lines, "say after");
    await until(() => Boolean(when(demo)));
    await demo.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    const sent = demo.updates.length;
    // Another turn's updates arrive after anything the cancelled one could still have sent.
    await demo.prompt("say next");
    expect(demo.updates.slice(sent).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "agent_message_chunk",
      "usage_update",
    ]);
    expect(demo.text).not.toContain("after");
    return { calls: demo.calls, chunks: demo.chunks };
  }

  it("ends a hanging turn", () => cancelled(["say begun", "hang"], (demo) => demo.chunks.length === 1));

  it("takes effect in the middle of a fast stream", async () => {
    const { chunks } = await cancelled(["stream 1000000"], (demo) => demo.chunks.length > 100);
    expect(chunks.length).toBeLessThan(1_000_000);
  });

  it("interrupts a long pause", () =>
    cancelled(["say one", "slow 600000", "say two"], (demo) => demo.chunks.length === 1));

  it("fails a tool call that waits for approval", async () => {
    const { calls } = await cancelled(["run touch a"], (demo) => demo.permissions.length === 1);
    expect(calls).toMatchObject([{ status: "failed" }]);
    expect(textIn(calls[0])).toBe("Cancelled");
  });

  it("drops a question that waits for an answer", () =>
    cancelled(["ask Which? | A | B"], (demo) => demo.questions.length === 1));

  it("ends a running command with everything it started, and keeps it in the action log", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, { permit: choose("allow_once") });
    const turn = demo.prompt("run sleep 600 & echo $! > pid; wait", "say after");
    const pid = await until(async () => Number(await readFile(join(where.cwd, "pid"), "utf8")) || undefined);
    await demo.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    await until(() => !isAlive(pid));
    expect(demo.calls).toMatchObject([{ status: "failed" }]);
    expect(await readFile(actionsIn(where), "utf8")).toMatch(/^\S+ run sleep 600 .*\n$/);
  });

  it("follows from a cancelled permission request", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where, {
      permit: () => ({ outcome: { outcome: "cancelled" } }),
    });
    expect(await demo.prompt("run touch a", "say after")).toEqual({ stopReason: "cancelled" });
    expect(demo.calls).toMatchObject([{ status: "failed" }]);
    expect(demo.text).toBe("");
    expect(existsSync(actionsIn(where))).toBe(false);
  });

  it("reaches a turn whose prompt was sent just before", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    const turn = demo.prompt("hang");
    await demo.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
  });

  it("changes nothing in an idle session", async () => {
    await using where = await place();
    await using demo = await demoWithSession(where);
    await demo.agent.notify(methods.agent.session.cancel, { sessionId: demo.sessionId });
    expect(await demo.prompt("say hello")).toMatchObject({ stopReason: "end_turn" });
  });
});
