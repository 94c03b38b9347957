// Agents have modes of their own; in some of them they act without asking.
import { join } from "node:path";
import type { Capabilities } from "@drover/core";
import { describe, expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { drover, kitAgent, openSession } from "./support.ts";

const program = (driver: string, more: object = {}) => ({
  ...kitAgent(driver === "text" ? "text-slow.mjs" : "jsonl-echo.mjs"),
  ...{ driver, ...more },
});
/** Programs without modes. */
const plain = {
  lines: program("jsonl"),
  plain: program("text"),
  // It has modes, but they are all the same, so none restricts it.
  named: program("text", { modeArgs: { ask: [], never: [] } }),
  held: program("text", { modeArgs: { ask: ["--read-only"], never: [] } }),
};

const rig = sharedRig({
  agents: { kit: kitAgent("own-modes.mjs"), stuck: kitAgent("own-modes.mjs", "--stuck"), ...plain },
});

test("N4 an agent that starts in a mode in which it does not ask is switched to one in which it does", async () => {
  await using session = await openSession(rig);
  await session.turn("hello");
  expect(session.follower.text()).toBe("I work in normal.");
  expect(await session.get()).toMatchObject({
    agentMode: { id: "normal", name: "Normal", mayActUnasked: false },
  });
  await rig.server.kill9();
  await rig.start();
  await session.turn("still?");
  expect(session.follower.text()).toBe("I work in normal.I work in normal.");
});

test("N4 an agent that cannot be restricted is shown as acting without asking, over HTTP and on the command line", async () => {
  await using session = await openSession(rig, "stuck");
  await session.turn("hello");
  expect(await session.get()).toMatchObject({
    agentMode: { id: "auto-accept", name: "Auto-accept", mayActUnasked: true },
  });
  const { stdout } = await drover(rig.home, "show", session.id);
  expect(stdout).toContain("Auto-accept: may act without asking");
});

describe("N4 a custom program without modes", () => {
  test("is shown as acting without asking wherever agents and sessions are described", async () => {
    const catalog = await rig.client.get<{ agents: { agent: string; capabilities: Capabilities }[] }>(
      "/api/agents",
    );
    const heldByMode = (agent: string) =>
      catalog.agents.find((one) => one.agent === agent)?.capabilities.heldByMode;
    expect(Object.keys(plain).map(heldByMode)).toEqual([false, false, false, true]);
    expect(heldByMode("demo")).toBe(true);
    const listed = (await drover(rig.home, "agents")).stdout.split("\n");
    const row = (agent: string) => listed.find((line) => line.startsWith(`${agent} `));
    for (const agent of ["lines", "plain", "named"]) {
      await using session = await openSession(rig, agent);
      expect((await session.get()).capabilities.heldByMode).toBe(false);
      expect(row(agent)).toContain("may act without asking");
      const { stdout } = await drover(rig.home, "show", session.id);
      expect(stdout).toContain(`${agent} may act without asking: no permission mode reaches it.`);
      expect(stdout).not.toContain("it is to change nothing");
    }
    expect(row("held")).toContain("never asks");
    const run = await drover(rig.home, "run", "plain", "--cwd", join(rig.home, "work"), "hello");
    expect(run.stderr).toContain("plain may act without asking");
  });
});
