import type { PermissionMode } from "@drover/core";
import { expect, test } from "vitest";
import { describeMode, modesOf, wantedMode } from "../../src/drivers/acp/mode.ts";
import { Place, RecordingHost } from "./support.ts";

const choice = (current: string, ...ids: string[]) => {
  const availableModes = ids.map((id) => ({ id, name: id }));
  const read = modesOf({ modes: { currentModeId: current, availableModes } });
  if (!read) throw new Error("no modes found");
  return read;
};

const claude = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
const gemini = ["default", "autoEdit", "yolo", "plan"];
const copilot = ["agent", "plan", "autopilot"].map((id) => `https://example.org/session-modes#${id}`);

interface Case {
  readonly mode: PermissionMode;
  readonly current: string | undefined;
  readonly ids: readonly string[];
  readonly expected: string | undefined;
}

test.each<Case>([
  { mode: "ask", current: "bypassPermissions", ids: claude, expected: "default" },
  { mode: "ask", current: "default", ids: claude, expected: "default" },
  { mode: "plan", current: "default", ids: claude, expected: "plan" },
  { mode: "acceptEdits", current: "acceptEdits", ids: claude, expected: "default" },
  { mode: "never", current: "bypassPermissions", ids: claude, expected: "default" },
  { mode: "never", current: "plan", ids: claude, expected: "default" },
  { mode: "ask", current: "yolo", ids: gemini, expected: "default" },
  { mode: "plan", current: "yolo", ids: gemini, expected: "plan" },
  { mode: "ask", current: copilot[2], ids: copilot, expected: copilot[0] },
  { mode: "plan", current: copilot[0], ids: copilot, expected: copilot[1] },
  { mode: "ask", current: "auto-accept", ids: ["auto-accept", "ask-first", "normal"], expected: "normal" },
  { mode: "ask", current: "careful", ids: ["careful", "yolo"], expected: "careful" },
  { mode: "ask", current: "auto", ids: ["auto", "full-access"], expected: undefined },
  { mode: "ask", current: "Always Ask", ids: ["Always Ask", "Auto"], expected: "Always Ask" },
  { mode: "ask", current: "Auto (Off)", ids: ["Auto (Off)", "Auto (High)"], expected: "Auto (Off)" },
  { mode: "plan", current: "default", ids: ["default", "yolo"], expected: "default" },
])(
  "N4 in mode $mode an agent in $current that offers $ids is switched to $expected",
  ({ mode, current = "", ids, expected }) => {
    expect(wantedMode(choice(current, ...ids), mode)).toBe(expected);
  },
);

test("N4 a preset names the modes that cannot be inferred", () => {
  const known = { plan: "think", ask: "auto" };
  const modes = choice("full", "full", "auto", "think");
  expect(wantedMode(modes, "ask", known)).toBe("auto");
  expect(wantedMode(modes, "plan", known)).toBe("think");
  expect(describeMode({ ...modes, current: "auto" }, known).mayActUnasked).toBe(false);
});

test("N4 a mode named after a feature that is off asks", () => {
  expect(describeMode(choice("Auto (Off)", "Auto (Off)")).mayActUnasked).toBe(false);
  expect(describeMode(choice("Auto (Low)", "Auto (Low)")).mayActUnasked).toBe(true);
});

const modes = (current: string) => ({
  currentModeId: current,
  availableModes: [
    { id: "normal", name: "Normal" },
    { id: "auto-accept", name: "Auto-accept" },
    { id: "plan", name: "Plan" },
  ],
});
const opened = { sessionId: "conversation-1", modes: modes("auto-accept") };
const setMode = ({ method, params }: { method?: string; params?: object }) =>
  method === "session/set_mode" ? [params] : [];

test.each<[PermissionMode, string, string]>([
  ["ask", "normal", "Normal"],
  ["plan", "plan", "Plan"],
  ["never", "normal", "Normal"],
])(
  "N4 in mode %s an agent that starts in another mode is switched to %s before its first prompt",
  async (mode, id, name) => {
    await using place = await Place.make();
    const host = new RecordingHost();
    const script = { "session/new": { result: opened }, "session/set_mode": { result: {} } };
    await place.open({ agent: "scripted", script }, host, { permissionMode: mode });
    expect((await place.received()).flatMap(setMode)).toEqual([{ sessionId: "conversation-1", modeId: id }]);
    expect(host.of("agent_mode")).toEqual([{ type: "agent_mode", mode: { id, name, mayActUnasked: false } }]);
  },
);

test("N4 a loaded conversation is switched to its mode again, and so is one whose session changes it", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const script = {
    "session/load": { result: { modes: modes("auto-accept") } },
    "session/set_mode": { result: {} },
  };
  const connection = await place.open({ agent: "scripted", script }, host, {
    agentSessionId: "conversation-1",
  });
  await connection.setPermissionMode?.("plan");
  await connection.setPermissionMode?.("plan");
  await connection.setPermissionMode?.("acceptEdits");
  const set = (await place.received()).flatMap(setMode);
  expect(set.map((params) => (params as { modeId: string }).modeId)).toEqual(["normal", "plan", "normal"]);
});

test("N4 an agent whose mode is a config option is switched with that option", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const option = {
    ...{ id: "approval", category: "mode", type: "select", currentValue: "yolo" },
    options: [
      { value: "yolo", name: "YOLO" },
      { value: "default", name: "Default" },
    ],
  };
  const script = {
    "session/new": { result: { sessionId: "conversation-1", configOptions: [option] } },
    "session/set_config_option": { result: { configOptions: [{ ...option, currentValue: "default" }] } },
  };
  await place.open({ agent: "scripted", script }, host);
  const request = (await place.received()).find(({ method }) => method === "session/set_config_option");
  expect(request?.params).toEqual({ sessionId: "conversation-1", configId: "approval", value: "default" });
});

test.each([
  [
    "offers no mode in which it asks",
    { modes: { ...modes("auto-accept"), availableModes: [{ id: "auto-accept" }] } },
    [],
  ],
  ["refuses to switch", { modes: modes("auto-accept") }, ["MODE_UNSUPPORTED"]],
])("N4 an agent that %s is reported to act without asking", async (_, offered, notices) => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const script = { "session/new": { result: { sessionId: "conversation-1", ...offered } } };
  await place.open({ agent: "scripted", script }, host);
  expect(host.of("agent_mode").map(({ mode }) => [mode.id, mode.mayActUnasked])).toEqual([
    ["auto-accept", true],
  ]);
  expect(host.of("notice").map(({ code }) => code)).toEqual(notices);
});
