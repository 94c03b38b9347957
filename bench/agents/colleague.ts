// An agent whose transcript looks like real work: Markdown, thoughts, commands with coloured output, edits, file reads.
// The prompt is a `WorkOrder`.
import { converse, sleepSync, writeAll } from "../kit/bare-agent.ts";

export interface WorkOrder {
  /** The number of items; the kinds alternate. */
  items: number;
  /** Sends text word by word at this many updates per second; by default as fast as possible. */
  rate?: number;
}

const sessionId = `colleague-${process.pid}`;
const itemsPerWrite = 100;

type Update = Record<string, unknown>;

const say = (text: string, sessionUpdate = "agent_message_chunk"): Update => ({
  sessionUpdate,
  content: { type: "text", text },
});

const code = "```ts\nexport const value = (n: number): string => String(n);\n\nconsole.log(value(1));\n```\n";

const paragraph = (n: number) =>
  `## Step ${n}\n\nThe **importer** reads \`data-${n}.csv\` line by line and counts the lines it cannot read.\n\n- one reason is the encoding\n- another one is the *length* of a line\n\n${n % 3 === 0 ? code : ""}`;

/** A tool call and its result, as two updates. */
const call = (
  n: number,
  kind: string,
  about: { title: string; rawInput: object; content: object[] },
): Update[] => {
  const { content, ...start } = about;
  const toolCallId = `call-${n}`;
  return [
    { sessionUpdate: "tool_call", toolCallId, kind, status: "pending", ...start },
    { sessionUpdate: "tool_call_update", toolCallId, status: "completed", content },
  ];
};

const printed = (text: string) => [{ type: "content", content: { type: "text", text } }];

const kinds: readonly ((n: number) => Update[])[] = [
  (n) => [say(paragraph(n))],
  (n) => [say(`How would ${n} look to a later reader?`, "agent_thought_chunk")],
  (n) =>
    call(n, "execute", {
      title: `npm test -- part-${n}`,
      rawInput: { command: `npm test -- part-${n}` },
      content: printed(
        Array.from(
          { length: 12 },
          (_, i) => `\u001b[32m✓\u001b[0m test ${n}.${i} \u001b[2m(3 ms)\u001b[0m`,
        ).join("\n"),
      ),
    }),
  (n) =>
    call(n, "read", {
      title: `src/part-${n}.ts`,
      rawInput: { path: `src/part-${n}.ts` },
      content: printed(`export const part = ${n};\n`.repeat(20)),
    }),
  (n) =>
    call(n, "edit", {
      title: `src/part-${n}.ts`,
      rawInput: { path: `src/part-${n}.ts` },
      content: [
        {
          type: "diff",
          path: `src/part-${n}.ts`,
          oldText: `const a = ${n};\nconst b = 2;\nconst c = 3;\n`,
          newText: `const a = ${n};\nconst b = ${n + 1};\nconst c = 3;\nconst d = 4;\n`,
        },
      ],
    }),
];

const lineOf = (update: Update) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } })}\n`;

const updatesOf = (n: number): Update[] => kinds[n % kinds.length]?.(n) ?? [];

function hurry(items: number): void {
  for (let from = 0; from < items; from += itemsPerWrite) {
    const size = Math.min(itemsPerWrite, items - from);
    const updates = Array.from({ length: size }, (_, i) => updatesOf(from + i)).flat();
    writeAll(Buffer.from(updates.map(lineOf).join("")));
  }
}

const wordsOf = (update: Update): Update[] => {
  const { text } = (update["content"] ?? {}) as { text?: string };
  if (text === undefined) return [update];
  return (text.match(/\S+\s*|\s+/g) ?? []).map((word) => say(word, String(update["sessionUpdate"])));
};

/** Streams word by word like a model, on schedule overall even if the machine delays one word. */
function speak({ items, rate }: Required<WorkOrder>): void {
  const start = performance.now();
  let wordsSent = 0;
  let due = "";
  for (let n = 0; n < items; n++) {
    for (const word of updatesOf(n).flatMap(wordsOf)) {
      due += lineOf(word);
      const early = start + (++wordsSent * 1000) / rate - performance.now();
      if (early <= 0) continue;
      writeAll(Buffer.from(due));
      due = "";
      sleepSync(early);
    }
  }
  writeAll(Buffer.from(due));
}

converse(sessionId, (prompt) => {
  const { items, rate } = JSON.parse(prompt) as WorkOrder;
  if (rate === undefined) hurry(items);
  else speak({ items, rate });
  return undefined;
});
