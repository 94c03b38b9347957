import { splitPrompt } from "@drover/core";
import { expect, test } from "vitest";
import { claudeDriver } from "../../src/drivers/claude/index.ts";
import type { AgentConnection, OpenRequest } from "../../src/ports.ts";
import { driver, Place, preset, RecordingHost } from "./support.ts";

const texts = {
  context: "<env>\nWorking directory: /somewhere\n</env>",
  system: "Be brief.",
  instructions: "Use tabs.",
} as const;
const system = `${texts.context}\n\n${texts.system}\n\n${texts.instructions}`;

/** `echo` as an agent that gets its system text in a prompt. */
function request(place: Place, more: Partial<OpenRequest> = {}, args: string[] = []): OpenRequest {
  const { preset: program, ...request } = place.request({ agent: "echo", args });
  return { ...request, preset: { ...program, systemVia: "prompt" }, ...texts, ...more };
}

/** The prompt that the agent received; it echoes it after a line with its checksum. */
async function prompted(connection: AgentConnection, host: RecordingHost, content: string): Promise<string> {
  const turnId = `trn_${host.batches.length}`;
  const before = host.text.length;
  await connection.prompt(turnId, content);
  await host.turnEnd(turnId);
  return host.text.slice(before).replace(/^.*\n/, "");
}

test("N2 system text, instructions and context are part of a conversation's first prompt only", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.use(request(place), host);
  const first = await prompted(connection, host, "hello");
  expect(splitPrompt(first)).toEqual({ system, context: [], message: "hello" });
  expect(await prompted(connection, host, "again")).toBe("again");
});

test("N2 a slash command is sent alone, and the system text comes with the next prompt", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.use(request(place), host);
  expect(await prompted(connection, host, "/compact")).toBe("/compact");
  expect(splitPrompt(await prompted(connection, host, "hello"))).toMatchObject({ system, message: "hello" });
  expect(await prompted(connection, host, "/compact")).toBe("/compact");
});

test("N2 a loaded conversation gets the system text again with its first prompt", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.use(request(place, { agentSessionId: "earlier" }), host);
  expect(splitPrompt(await prompted(connection, host, "hello"))).toMatchObject({ system, context: [] });
  expect(await prompted(connection, host, "again")).toBe("again");
});

test("N2 a server that reattaches to the agent delivers the system text if the last one did not", async () => {
  await using place = await Place.make();
  const before = new RecordingHost();
  const opened = await place.use(request(place), before);
  opened.detach();
  const attached = (known: RecordingHost) => {
    const { context: _, ...more } = texts;
    const attach = { process: known.process, pending: {} };
    return request(place, { ...more, attach, epoch: known.spawns.length + 1 });
  };
  const host = new RecordingHost(before.process);
  const found = await place.use(attached(before), host);
  expect(splitPrompt(await prompted(found, host, "hello"))).toMatchObject({ system, message: "hello" });
  found.detach();
  const last = new RecordingHost(host.process);
  const foundAgain = await place.use(attached(host), last);
  expect(await prompted(foundAgain, last, "again")).toBe("again");
});

test.each([
  ["acp", driver],
  ["claude", claudeDriver({ version: "1", home: "/nowhere" } as never)],
])(
  "N3 %s rejects a message that does not fit beside the system text, with both sizes",
  (_, { refusesPrompt }) => {
    const acp = preset({ command: "x" });
    const sized = (systemBytes: number, messageBytes: number) =>
      refusesPrompt?.(acp, { system: "s".repeat(systemBytes), content: "m".repeat(messageBytes) });
    expect(sized(400_000, 400_000)).toMatchObject({
      code: "PROMPT_TOO_LARGE",
      facts: { limit: 786_432, systemBytes: 400_000, messageBytes: 400_000 },
    });
    expect(sized(100_000, 600_000)).toBeUndefined();
    expect(sized(0, 786_432)).toBeUndefined();
    const instructions = "i".repeat(2_000_000);
    expect(refusesPrompt?.(acp, { instructions, content: "m" })).toBeUndefined();
  },
);

test("N3 an instruction file of 2 MB reaches an agent shortened, whichever way it takes system text", async () => {
  await using place = await Place.make();
  const instructions = "i".repeat(2_000_000);
  const host = new RecordingHost();
  const connection = await place.use(request(place, { instructions }), host);
  const { system: received } = splitPrompt(await prompted(connection, host, "hello"));
  expect(Buffer.byteLength(received)).toBeLessThan(790_000);
  expect(received).toMatch(/\[… \d+ bytes left out\]$/);

  await using other = await Place.make();
  await other.open({ agent: "scripted" }, new RecordingHost(), { instructions });
  const opening = (await other.received()).find(({ method }) => method === "session/new");
  const append = expect.stringMatching(/\[… \d+ bytes left out\]$/);
  expect(opening?.params?.["_meta"]).toEqual({ systemPrompt: { append } });
});
