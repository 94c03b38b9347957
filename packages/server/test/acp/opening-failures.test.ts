import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { isAlive } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import type { OpenRequest } from "../../src/ports.ts";
import { driver, Place, type Program, preset, RecordingHost } from "./support.ts";

type Opening = Partial<OpenRequest> & { readonly host?: RecordingHost };

/** Tries to open an agent that cannot be opened; returns the fault. */
async function failure(place: Place, program: Program, opening: Opening = {}): Promise<Fault> {
  const { host = new RecordingHost(), ...more } = opening;
  const error: unknown = await driver.open(place.request(program, more), host).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Fault);
  for (const { pid, ready } of host.spawns) {
    expect(ready).toBe(false);
    expect(isAlive(pid)).toBe(false);
  }
  return error as Fault;
}

test("X2 a missing program is reported with its remedy, and nothing is started", async () => {
  await using place = await Place.make();
  const fault = await failure(
    place,
    { agent: "echo" },
    { preset: preset({ command: "drover-no-such-agent" }) },
  );
  expect(fault.code).toBe("AGENT_MISSING");
  expect(fault.message).toBe("Could not start Test Agent. Check that it's installed.");
  expect(fault.retry).toBe("never");
});

test("a missing working directory is reported as such", async () => {
  await using place = await Place.make();
  const cwd = join(place.dir.path, "gone");
  const fault = await failure(place, { agent: "echo" }, { cwd });
  expect(fault.code).toBe("WORKSPACE_MISSING");
  expect(fault.message).toContain(cwd);
});

test("a file that is not executable is reported as such", async () => {
  await using place = await Place.make();
  const fault = await failure(place, { agent: "echo" }, { preset: preset({ command: place.dir.path }) });
  expect(fault.code).toBe("AGENT_UNREACHABLE");
  expect(fault.message).toContain("is a directory");
});

test("X3 an agent that does not answer initialize is ended in time, and its last output is in the fault", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const errors = join(place.dir.path, "run/stderr");
  // Its timeout starts with the request, which waits until the process is stored.
  host.gate = async () => void (await until(() => readFile(errors, "utf8").then((text) => text !== "")));
  const fault = await failure(place, { agent: "never-initialises" }, { startTimeoutMs: 500, host });
  expect(fault.code).toBe("AGENT_UNREACHABLE");
  expect(fault.message).toBe("Could not connect to Test Agent");
  expect(fault.facts["stderrTail"]).toContain("never-initialises: I have nothing to say");
});

test("X4 an agent that exits after its answer has crashed", async () => {
  await using place = await Place.make();
  const fault = await failure(place, { agent: "connects-and-dies" });
  expect(fault.code).toBe("AGENT_CRASHED");
  expect(fault.message).toBe("Test Agent ended right after connecting");
  expect(fault.facts["stderrTail"]).toContain("goodbye");
});

test("X3 an agent that answers initialize with an error or another protocol version is unreachable", async () => {
  await using place = await Place.make();
  const error = { code: -32603, message: "out of order" };
  const refused = await failure(place, { agent: "scripted", script: { initialize: { error } } });
  expect(refused.message).toBe("Could not connect to Test Agent");
  expect(refused.facts["reason"]).toBe("out of order");

  await using other = await Place.make();
  const future = { initialize: { result: { protocolVersion: 7 } } };
  const fault = await failure(other, { agent: "scripted", script: future });
  expect(fault.message).toBe("Could not connect to Test Agent");
  expect(fault.facts["protocolVersion"]).toBe(7);
});

test("X6 an agent whose start is aborted is ended", async () => {
  await using place = await Place.make();
  const abort = new AbortController();
  const host = new RecordingHost();
  const opening = driver.open(place.request({ agent: "never-initialises" }, { signal: abort.signal }), host);
  opening.catch(() => undefined);
  const { pid } = await until(() => host.spawns[0]);
  expect(isAlive(pid)).toBe(true);
  abort.abort();
  await expect(opening).rejects.toMatchObject({ code: "AGENT_UNREACHABLE" });
  expect(isAlive(pid)).toBe(false);
});

test("an agent that requires a login is reported as such", async () => {
  await using place = await Place.make();
  const error = { code: -32000, message: "Authentication required" };
  const fault = await failure(place, { agent: "scripted", script: { "session/new": { error } } });
  expect(fault.code).toBe("AUTH_FAILED");
  expect(fault.message).toContain("Test Agent is not logged in");
});

test("an agent that cannot start a conversation is reported with its reason", async () => {
  await using place = await Place.make();
  const error = { code: -32603, message: "the workspace is cursed" };
  const fault = await failure(place, { agent: "scripted", script: { "session/new": { error } } });
  expect(fault).toMatchObject({
    code: "AGENT_UNREACHABLE",
    message: "Test Agent could not start a conversation: the workspace is cursed",
  });
});

test("a conversation that the agent no longer knows is not silently replaced", async () => {
  await using place = await Place.make();
  const error = { code: -32002, message: "Resource not found" };
  const fault = await failure(
    place,
    { agent: "scripted", script: { "session/load": { error } } },
    { agentSessionId: "conversation-9" },
  );
  expect(fault).toMatchObject({ code: "RESUME_UNKNOWN", retry: "never" });
  expect((await place.received()).map(({ method }) => method)).toEqual(["initialize", "session/load"]);
});
