// What fits into a prompt, with every driver: what may be shortened is shortened, and a message that still does not
// fit is refused before anything is stored or started.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { idleConnection, maxPromptBytes, splitPrompt, utf8Length } from "@drover/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kitAgent, openRig, openSession, type Rig } from "./support.ts";

const jsonl = { ...kitAgent("jsonl-transcript.mjs"), driver: "jsonl" };

/** All of them repeat their prompt; Claude is missing because it is not installed here. */
const agents = {
  acp: kitAgent("echo.mjs"),
  "acp, by prompt": { ...kitAgent("echo.mjs"), systemVia: "prompt" },
  jsonl,
  "jsonl, one process": {
    ...{ ...kitAgent("jsonl-stateful.mjs"), driver: "jsonl" },
    ...{ stateful: true, done: [{ type: "result" }] },
  },
  text: { name: "Kit", driver: "text", command: "cat", args: [] as string[] },
};
const names = Object.keys(agents).map((title) => [title, nameOf(title)] as const);

function nameOf(title: string): string {
  return title.replaceAll(/\W+/g, "-");
}

let rig: Rig;
beforeAll(async () => {
  const entries = Object.entries(agents).map(([title, agent]) => [nameOf(title), agent]);
  rig = await openRig({ agents: Object.fromEntries(entries) });
});
afterAll(() => rig[Symbol.asyncDispose]());

async function instructionFile(bytes: number): Promise<string> {
  const file = join(rig.home, "work", `RULES-${bytes}.md`);
  await writeFile(file, "ä\n".repeat(bytes / 3));
  return file;
}

describe.each([...names, ["claude", "claude"] as const])("%s", (_, agent) => {
  test.each([
    ["system text", { systemBytes: 400_000, fileBytes: 0, messageBytes: 400_000 }],
    [
      "system text and the minimum of an instruction file",
      { systemBytes: 500_000, fileBytes: 900_000, messageBytes: 286_000 },
    ],
    ["system text that leaves no room", { systemBytes: maxPromptBytes, fileBytes: 0, messageBytes: 1 }],
  ])(
    "N3 P3 a message that does not fit next to %s is refused with both sizes, and nothing is stored or started",
    async (_what, { systemBytes, fileBytes, messageBytes }) => {
      const file = fileBytes > 0 ? { instructionFile: await instructionFile(fileBytes) } : {};
      await using session = await openSession(rig, agent, { system: "s".repeat(systemBytes), ...file });
      const before = await session.get();
      const refused = await rig.client.ask<Record<string, unknown>>("POST", session.path("/messages"), {
        body: { content: "m".repeat(messageBytes) },
      });
      expect(refused).toMatchObject({
        status: 413,
        body: { code: "PROMPT_TOO_LARGE", limit: maxPromptBytes, messageBytes },
      });
      const { size, systemBytes: counted, error } = refused.body;
      expect(counted).toBeGreaterThanOrEqual(systemBytes);
      expect(size).toBeGreaterThan(maxPromptBytes);
      expect(error).toContain(`${messageBytes} bytes`);
      expect(error).toContain(`${counted} bytes`);
      expect(await session.get()).toEqual(before);
      expect(before).toMatchObject({ run: 0, lastSeq: 0, queued: 0, connection: idleConnection });
    },
  );
});

test.each(names)(
  "N3 P4 %s: an instruction file is shortened when the message needs the space, the message never is",
  async (title, agent) => {
    const file = await instructionFile(900_000);
    await using session = await openSession(rig, agent, { system: "Be brief.", instructionFile: file });
    const message = "m".repeat(600_000);
    expect(await session.turn(message)).toMatchObject({ ok: true });
    const prompt = session.follower.text().replace(/^(?:[0-9a-f]{64} \d+\n|\d+: )/, "");
    // Its system text is not part of the prompt.
    if (title === "acp") return expect(prompt).toBe(message);
    const { system, message: received } = splitPrompt(prompt);
    expect(received).toBe(message);
    expect(system).toMatch(/Be brief\.\n\n(?:ä\n)+ä?\n?\n\[… \d+ bytes left out\]$/);
    // The runtime context, of 4 KB at most, is not counted.
    expect(utf8Length(prompt)).toBeLessThanOrEqual(maxPromptBytes + 4_096);
  },
);
