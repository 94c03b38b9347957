// Programs without a protocol that answer a prompt with lines of JSON, described by configuration alone.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kitAgent, openRig, openSession, type Rig, readJson } from "./support.ts";

/** Ten lines of YAML, and no code. */
const madeUp = (home: string) => ({
  ...kitAgent("jsonl-echo.mjs", "--started", join(home, "started")),
  name: "Made Up",
  driver: "jsonl",
  nonInteractive: ["--batch"],
  systemFlag: "--tell",
  resume: ["--continue", "{sessionId}"],
  sessionId: ["opened", "talk", "id"],
  text: [{ type: "word", at: ["payload", "said"] }],
  done: [{ type: "closed", at: ["ok"], is: true }],
});

interface Started {
  argv: string[];
  prompt: string;
  terminals: number[];
}

const started = (rig: Rig): Promise<Started> => readJson(join(rig.home, "started"));
const hashOf = (text: string): string =>
  `${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}`;

test("P8 P9 P10 a made-up program works with ten lines of configuration: system text once, no terminal", async () => {
  await using rig = await openRig((home) => ({ agents: { kit: madeUp(home) } }));
  await using session = await openSession(rig, "kit", { system: "Be brief." });
  expect(await session.turn("hello\nthere")).toMatchObject({ ok: true, reason: "end_turn" });
  expect(session.follower.text()).toBe(hashOf("hello\nthere"));
  const first = await started(rig);
  expect(first.terminals).toEqual([]);
  expect(first.argv).toContain("--batch");
  expect(first.argv).not.toContain("--continue");
  const told = first.argv[first.argv.indexOf("--tell") + 1] ?? "";
  expect(told.match(/Be brief\./g)).toHaveLength(1);
  expect(told).toContain("Working directory:");
  expect(first.prompt).toBe("[MESSAGE]\nhello\nthere");

  const { agentSessionId, capabilities, connection } = await session.get();
  expect(agentSessionId).toMatch(/^talk-\d+$/);
  expect(capabilities).toEqual({
    ...{ approvals: "none", amend: false, denyReason: false, steer: false, resume: true, fork: false },
    ...{ freshContext: true, reattach: true, completion: "event" },
  });
  expect(connection.status).toBe("idle");
  expect(await session.turn("again")).toMatchObject({ ok: true });
  const { argv, prompt } = await started(rig);
  expect(argv[argv.indexOf("--continue") + 1]).toBe(agentSessionId);
  expect(prompt, "the agent remembers by itself").toBe("[MESSAGE]\nagain");
});
