// The configuration is read again when it changes, while the server runs.
import { execFile } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ConfigReport, DoctorReport } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { drover, heldIn, kitAgent, openRig, openSession, type Rig, release } from "./support.ts";

const text = (program: string, ...args: string[]) => ({ ...kitAgent(program, ...args), driver: "text" });

/** Saves like an editor: writes a new file, then moves it into place. */
async function save(rig: Rig, config: unknown): Promise<void> {
  const file = join(rig.server.droverHome, "drover.yaml");
  // JSON is YAML.
  await writeFile(`${file}~`, typeof config === "string" ? config : JSON.stringify(config));
  await rename(`${file}~`, file);
}

const report = (rig: Rig) => rig.client.get<ConfigReport>("/api/config");
const agentsOf = async (rig: Rig) => (await report(rig)).agents.map(({ agent }) => agent);
const logged = async (rig: Rig): Promise<string> =>
  readFile(join(rig.server.droverHome, "server.log"), "utf8");

test("N10 new agents and changed settings take effect without a restart, and a running turn continues", async () => {
  await using rig = await openRig((home) => ({
    agents: { kit: text("text-slow.mjs", "--count", "4", ...heldIn(home)) },
  }));
  await using running = await openSession(rig);
  const { messageId } = await running.send("hello");
  await until(() => running.follower.text() !== "", { what: "the agent has begun to speak" });
  const { connection } = await running.get();
  await save(rig, {
    sessions: { permissionMode: "plan", queueMax: 1 },
    agents: { kit: text("text-hash.mjs"), added: text("text-hash.mjs") },
  });
  await until(async () => (await agentsOf(rig)).includes("added"), { what: "the new agent is known" });

  await using added = await openSession(rig, "added");
  expect(await added.get()).toMatchObject({ permissionMode: "plan" });
  expect(await added.turn("to the new one")).toMatchObject({ ok: true });
  await running.send("waits");
  const { status, body } = await rig.client.ask("POST", running.path("/messages"), {
    body: { content: "one too many" },
  });
  expect({ status, ...body }).toMatchObject({ status: 409, code: "QUEUE_FULL", limit: 1 });

  expect((await running.get()).connection.pid, "its process was left running").toBe(connection.pid);
  await release(rig);
  expect(await running.done(messageId)).toMatchObject({ ok: true });
  await until(() => /[0-9a-f]{64} \d+\n$/.test(running.follower.text()), {
    what: "the next turn's process is the changed one",
  });
  expect(await logged(rig)).toContain(
    '"changed":["sessions.permissionMode","sessions.queueMax","agents.kit"',
  );
});

test("N10 an invalid file leaves the old configuration in effect, and every interface says why", async () => {
  const kit = kitAgent("echo.mjs");
  await using rig = await openRig({ agents: { kit } });
  await save(rig, { agents: { kit: { ...kit, driver: "telepathy" }, other: kit } });
  const why = "agents.kit.driver must be one of acp, claude, jsonl, text";
  const { problems = [] } = await until(async () => {
    const answer = await report(rig);
    return answer.problems && answer;
  });
  expect(problems).toEqual([expect.stringContaining(`drover.yaml:1: ${why}`)]);
  expect(await logged(rig)).toContain(why);
  const findings = async () => (await rig.client.get<DoctorReport>("/api/doctor")).findings;
  const configuration = { check: "configuration", status: "broken", message: expect.stringContaining(why) };
  expect(await findings()).toContainEqual(expect.objectContaining(configuration));
  const doctor = await drover(rig.home, "doctor");
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(why) });
  expect(doctor.stdout).toContain("A running server keeps the previous configuration.");

  expect(await agentsOf(rig)).not.toContain("other");
  await using session = await openSession(rig);
  expect(await session.turn("still the old one")).toMatchObject({ ok: true });

  await save(rig, { agents: { kit, other: kit } });
  await until(async () => (await agentsOf(rig)).includes("other"));
  expect((await report(rig)).problems).toBeUndefined();
  expect((await findings()).filter(({ check }) => check === "configuration")).toMatchObject([
    { status: "ok" },
  ]);
});

test("N10 H8 a configuration that is not a regular file, or is far too large, is invalid and blocks nothing", async () => {
  const kit = text("text-hash.mjs");
  await using rig = await openRig({ agents: { kit } });
  const file = join(rig.server.droverHome, "drover.yaml");
  const problems = async () => (await report(rig)).problems?.join();
  await rm(file);
  await promisify(execFile)("mkfifo", [file]);
  await until(async () => (await problems())?.includes("is not a regular file"), {
    what: "the FIFO is named",
  });
  const { findings } = await rig.client.get<DoctorReport>("/api/doctor");
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "configuration",
      status: "broken",
      message: expect.stringContaining("regular"),
    }),
  );
  await save(rig, `# ${"x".repeat(1024 * 1024)}`);
  await until(async () => (await problems())?.includes("more than 1048576 bytes"), {
    what: "its size is named",
  });
  await save(rig, { agents: { kit, other: kit } });
  await until(async () => (await agentsOf(rig)).includes("other"), {
    what: "the configuration is read again",
  });
});

test("N10 a setting that needs a restart is reported as such, and takes effect after one", async () => {
  await using rig = await openRig({ config: { streams: { heartbeat: "10s" } } });
  await save(rig, { streams: { heartbeat: "20s" } });
  const { settings } = await until(async () => {
    const answer = await report(rig);
    return answer.restart?.includes("streams.heartbeat") && answer;
  });
  expect(settings["streams.heartbeat"]).toMatchObject({ value: 10_000 });
  const { stdout } = await drover(rig.home, "doctor");
  expect(stdout).toContain("in effect only after a restart: streams.heartbeat");
  await rig.server.term();
  await rig.start();
  const after = await report(rig);
  expect(after.settings["streams.heartbeat"]).toMatchObject({ value: 20_000 });
  expect(after.restart).toBeUndefined();
});

test("N10 removing an agent ends its turn and refuses new messages, and adding it back makes it work again", async () => {
  let kit = {};
  await using rig = await openRig((home) => {
    kit = text("text-slow.mjs", "--count", "4", ...heldIn(home));
    return { agents: { kit } };
  });
  await using session = await openSession(rig);
  const { messageId } = await session.send("hello");
  await until(() => session.follower.text() !== "", { what: "the agent has begun to speak" });
  await save(rig, "");
  await until(async () => !(await agentsOf(rig)).includes("kit"));
  await release(rig);
  expect(await session.done(messageId)).toMatchObject({ ok: true });
  const refused = await session.turn("are you there?");
  expect(refused).toMatchObject({ ok: false, error: { code: "AGENT_MISSING" } });
  await save(rig, { agents: { kit } });
  await until(async () => (await agentsOf(rig)).includes("kit"));
  expect(await session.turn("and now?")).toMatchObject({ ok: true });
});
