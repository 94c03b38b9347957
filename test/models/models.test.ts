import { expect, test } from "vitest";
import { sseBlocks } from "../kit/sse.ts";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { type Dialect, type Json, startModel } from "./model.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { nextStep, type Step, scriptedPrompt } from "./script.ts";

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

test("a script's next step depends on the number of replies since its prompt", () => {
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

test("the Anthropic dialect streams text and a shell command", async () => {
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

test("the OpenAI dialect streams text and a command for the shell tool that is offered", async () => {
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

test("the OpenAI chat dialect streams text and a shell command", async () => {
  const tools = [{ type: "function", function: { name: "run_shell_command" } }];
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: prompt }] },
  ];
  const path = "/v1/chat/completions";
  const { events } = await ask(openaiChat, path, { model: "m", stream: true, tools, messages });
  const choices = events.flatMap((event) => event["choices"] as { delta: Json; finish_reason: unknown }[]);
  expect(choices.map(({ delta }) => delta["content"] ?? "").join("")).toBe("Eine Möwe 🐦.");
  const calls = choices.flatMap(({ delta }) => delta["tool_calls"] ?? []) as { function: Json }[];
  expect(calls.map((call) => JSON.parse(String(call.function["arguments"])))).toMatchObject([
    { command: "echo 1" },
  ]);
  expect(choices.at(-1)).toMatchObject({ finish_reason: "tool_calls" });
  const answered = [...messages, { role: "assistant", content: "Eine" }, { role: "tool", content: "1" }];
  const turn = openaiChat.read(path, { tools, messages: answered });
  expect(nextStep(turn?.conversation ?? [])).toEqual({ fail: { status: 429 } });
});

test("the Gemini dialect streams thoughts, text and a shell command", async () => {
  const script = scriptedPrompt({ think: "Hm.", say: "Eine Möwe 🐦.", run: "echo 1" }, { say: "Done." });
  const contents = [{ role: "user", parts: [{ text: script }] }];
  const tools = [{ functionDeclarations: [{ name: "run_shell_command" }] }];
  const path = "/v1beta/models/m:streamGenerateContent";
  const { events } = await ask(gemini, path, { contents, tools });
  const parts = events.flatMap(
    (event) => (event["candidates"] as [{ content: { parts: Json[] } }])[0].content.parts,
  );
  const text = (isThought: boolean) =>
    parts.map((part) => (part["thought"] === true) === isThought && (part["text"] ?? "")).filter(Boolean);
  expect(text(true).join("")).toBe("Hm.");
  expect(text(false).join("")).toBe("Eine Möwe 🐦.");
  const calls = parts.flatMap((part) => part["functionCall"] ?? []);
  expect(calls).toMatchObject([{ name: "run_shell_command", args: { command: "echo 1" } }]);
  expect(events.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }] });

  const answered = [
    ...contents,
    { role: "model", parts: [{ text: "Eine Möwe 🐦." }, { functionCall: {} }] },
    { role: "user", parts: [{ functionResponse: { response: { output: "1" } } }] },
  ];
  const turn = gemini.read(path, { contents: answered, tools });
  expect(nextStep(turn?.conversation ?? [])).toEqual({ say: "Done." });
});

test("a script names the action, and the model calls the agent's own tool for it", async () => {
  const write = { path: "notes", text: "a\nb" };
  const content = scriptedPrompt({ runs: ["echo 1", "echo 2"], write });
  const messages = [{ role: "user", content }];
  const tools = [{ name: "bash" }, { name: "write" }];
  const { events } = await ask(anthropic, "/v1/messages", { stream: true, tools, messages });
  const blocks = events.flatMap((event) => event["content_block"] ?? []);
  expect(blocks).toMatchObject([{ name: "bash" }, { name: "bash" }, { name: "write" }]);

  const input = [{ role: "user", content }];
  const offered = [
    { type: "function", name: "exec_command" },
    { type: "custom", name: "apply_patch" },
  ];
  const codex = await ask(openaiResponses, "/v1/responses", { stream: true, tools: offered, input });
  const patch = joined(codex.events, "response.custom_tool_call_input.delta", (event) => event["delta"]);
  expect(patch).toBe("*** Begin Patch\n*** Add File: notes\n+a\n+b\n*** End Patch\n");
});

test("a reply can hang or be cut off in the middle", async () => {
  await using model = await startModel(anthropic);
  const halfOf = async (step: Step, isOver: (words: string) => boolean) => {
    const messages = [
      { role: "user", content: scriptedPrompt({ say: "One two three four five six.", ...step }) },
    ];
    const body = JSON.stringify({ stream: true, tools: [{ name: "Bash" }], messages });
    const hangUp = new AbortController();
    const { signal } = hangUp;
    const response = await fetch(`${model.url}/v1/messages`, { method: "POST", body, signal });
    let words = "";
    for await (const { data = "" } of sseBlocks(response.body as ReadableStream<Uint8Array>)) {
      words += /"text_delta","text":"([^"]*)"/.exec(data)?.[1] ?? "";
      if (isOver(words)) hangUp.abort();
    }
    return words;
  };
  await expect(halfOf({ drop: "midway" }, () => false)).rejects.toThrow("terminated");
  await expect(halfOf({ hang: true }, (words) => words === "One two thre")).rejects.toThrow("aborted");
});

test("a failing step is an error response", async () => {
  const { status } = await ask(anthropic, "/v1/messages", {
    tools: [{ name: "Bash" }],
    messages: [{ role: "user", content: scriptedPrompt({ fail: { status: 529 } }) }],
  });
  expect(status).toBe(529);
});
