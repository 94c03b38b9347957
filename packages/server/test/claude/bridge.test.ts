import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { ProcessBridge } from "../../src/drivers/claude/bridge.ts";
import { makeUserPrompt } from "../../src/drivers/claude/options.ts";
import { PromptQueue } from "../../src/drivers/claude/prompt-queue.ts";
import type { Json } from "../../src/drivers/json.ts";

function bridged() {
  const passed: Json[] = [];
  const bridge = new ProcessBridge({ onWrite: (message) => passed.push(message) });
  const child = bridge.spawn({ command: "claude", args: ["--verbose"], env: {} });
  return { bridge, child, passed };
}

test("what the SDK writes before the process exists is delivered in order once it does", async () => {
  const { bridge, child, passed } = bridged();
  const input: string[] = [];
  child.stdin.write('{"type":"control_request"}\n');
  child.stdin.write('{"type":"user"}\n');
  expect(bridge.wanted.args).toEqual(["--verbose"]);
  bridge.connect(async (line) => void input.push(line));
  await until(() => input.length === 2);
  expect(input).toEqual(['{"type":"control_request"}\n', '{"type":"user"}\n']);
  expect(passed).toEqual([{ type: "control_request" }, { type: "user" }]);
});

test("a failed write to the process does not reach the SDK as an error", async () => {
  const { bridge, child, passed } = bridged();
  bridge.connect(() => Promise.reject(new Error("gone")));
  child.stdin.write('{"n":1}\n');
  child.stdin.write('{"n":2}\n');
  await until(() => passed.length === 2);
  expect(child.stdin.errored).toBeNull();
});

test("the SDK cannot end the process", async () => {
  const { bridge, child } = bridged();
  bridge.connect(async () => undefined);
  child.stdin.end();
  await once(child.stdin, "finish");
  expect(child.kill("SIGKILL")).toBe(true);
  expect([child.exitCode, child.killed]).toEqual([null, false]);
});

test.for([
  { exit: { code: 143, signal: null }, expected: [143, null] },
  { exit: { code: null, signal: "SIGKILL" }, expected: [null, "SIGKILL"] },
  { exit: { code: null, signal: null }, expected: [0, null] },
])("the SDK is notified of the exit $exit once, after the last line", async ({ exit, expected }) => {
  const { bridge, child } = bridged();
  const exits: unknown[] = [];
  child.on("exit", (code, signal) => exits.push([code, signal]));
  bridge.feed("{}");
  bridge.release(exit);
  bridge.release();
  bridge.feed("too late");
  expect(await text(child.stdout)).toBe("{}\n");
  expect(exits).toEqual([expected]);
  expect([child.exitCode, child.signalCode]).toEqual(expected);
});

test("nothing is written to a detached process", async () => {
  const { bridge, child } = bridged();
  const input: string[] = [];
  bridge.release();
  bridge.connect(async (line) => void input.push(line));
  child.stdin.write("{}\n");
  child.stdin.end();
  await once(child.stdin, "finish");
  expect(input).toEqual([]);
});

test("images come before the text of a prompt, as the model's API takes them", () => {
  const images = [{ mediaType: "image/png", data: "AAAA" }] as const;
  expect(makeUserPrompt("Look", { images }).message.content).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    { type: "text", text: "Look" },
  ]);
});

test("prompts are written one at a time, and a prompt resolves once it is written", async () => {
  const prompts = new PromptQueue();
  const [first, second, third] = [
    makeUserPrompt("Hello"),
    makeUserPrompt("Still there?"),
    makeUserPrompt("?"),
  ];
  const pushed = prompts.push(first);
  const taken = prompts[Symbol.asyncIterator]();
  expect((await taken.next()).value).toMatchObject({ message: { role: "user", content: "Hello" } });
  prompts.sent(first.uuid, Promise.resolve());
  await pushed;
  const next = taken.next();
  const lost = prompts.push(second);
  expect((await next).value).toBe(second);
  prompts.close(new Fault("AGENT_UNREACHABLE", "gone"));
  await expect(lost).rejects.toThrow("gone");
  await expect(prompts.push(third)).rejects.toThrow("gone");
  expect((await taken.next()).done).toBe(true);
});
