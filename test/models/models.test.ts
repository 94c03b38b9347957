import { expect, test } from "vitest";
import { sseBlocks } from "../kit/sse.ts";
import { anthropic } from "./anthropic.ts";
import { type Dialect, type Json, startModel } from "./model.ts";
import { openaiResponses } from "./openai-responses.ts";
import { nextStep, scriptedPrompt } from "./script.ts";

const prompt = `Please:\n${scriptedPrompt({ say: "Eine Möwe 🐦.", run: "echo 1" }, { fail: { status: 429 } }, { say: "Done." })}`;

/** The events of a streamed reply, in order. */
async function ask(dialect: Dialect, path: string, body: Json): Promise<{ status: number; events: Json[] }> {
  await using model = await startModel(dialect);
  const response = await fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  const events: Json[] = [];
  if (response.ok && response.body) {
    for await (const { data = "{}" } of sseBlocks(response.body)) events.push(JSON.parse(data) as Json);
  } else {
    await response.text();
  }
  return { status: response.status, events };
}

const joined = (events: Json[], type: string, read: (event: Json) => unknown) =>
  events
    .filter((event) => event["type"] === type)
    .map((event) => read(event) ?? "")
    .join("");

test("a script's next step is decided by the replies given since its prompt", () => {
  const user = { role: "user", text: prompt } as const;
  const words = { role: "assistant", text: "I" } as const;
  const call = { role: "assistant", text: "" } as const;
  const result = { role: "tool", text: "1" } as const;
  expect(nextStep([user])).toMatchObject({ run: "echo 1" });
  expect(nextStep([user, words, call, result])).toEqual({ fail: { status: 429 } });
  expect(nextStep([user, words, call, result, words, { role: "user", text: "and?" }])).toEqual({
    say: "Done.",
  });
  expect(nextStep([user, words, result, { role: "user", text: scriptedPrompt({ say: "New." }) }])).toEqual({
    say: "New.",
  });
});

test("the Anthropic dialect streams words and a call of the shell tool", async () => {
  const { events } = await ask(anthropic, "/v1/messages", {
    model: "m",
    stream: true,
    tools: [{ name: "Bash" }],
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
  });
  const delta = (key: string) => (event: Json) => (event["delta"] as Json)[key];
  expect(joined(events, "content_block_delta", delta("text"))).toBe("Eine Möwe 🐦.");
  expect(JSON.parse(joined(events, "content_block_delta", delta("partial_json")))).toMatchObject({
    command: "echo 1",
  });
  expect(events.at(-2)).toMatchObject({ type: "message_delta", delta: { stop_reason: "tool_use" } });
  expect(events.at(-1)).toMatchObject({ type: "message_stop" });
});

test("the OpenAI dialect streams words and a call of the shell tool on offer", async () => {
  const { events } = await ask(openaiResponses, "/v1/responses", {
    model: "m",
    stream: true,
    tools: [{ type: "function", name: "exec_command" }],
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }],
  });
  const delta = (event: Json) => event["delta"];
  expect(joined(events, "response.output_text.delta", delta)).toBe("Eine Möwe 🐦.");
  expect(JSON.parse(joined(events, "response.function_call_arguments.delta", delta))).toMatchObject({
    cmd: "echo 1",
  });
  expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
});

test("a failing step is an error answer", async () => {
  const { status } = await ask(anthropic, "/v1/messages", {
    tools: [{ name: "Bash" }],
    messages: [{ role: "user", content: scriptedPrompt({ fail: { status: 529 } }) }],
  });
  expect(status).toBe(529);
});
