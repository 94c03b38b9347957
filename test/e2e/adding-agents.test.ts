// Agents that a person adds over the API. npm is a stand-in, because the real one would use a registry.
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { openRig, type Rig } from "./support.ts";

const run = promisify(execFile);

/** Records that it ran, waits at the gate if there is one, and installs or fails as configured. */
const npm = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const home = process.env.HOME;
appendFileSync(home + "/runs", process.argv.slice(2).join(" ") + "\\n");
if (existsSync(home + "/gate")) readFileSync(home + "/gate");
if (existsSync(home + "/fails")) {
  console.error("npm error code E404\\nnpm error 404 Not Found\\nnpm error A complete log of this run can be found in: x");
  process.exit(1);
}
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const [[name, version]] = Object.entries(dependencies);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
writeFileSync(home + "/locked", JSON.stringify(packages["node_modules/" + name]));
mkdirSync("node_modules/" + name + "/dist", { recursive: true });
writeFileSync("node_modules/" + name + "/package.json", JSON.stringify({ name, version }));
writeFileSync("node_modules/" + name + "/dist/cli.js", "");
`;

const openWithNpm = (): Promise<Rig> =>
  openRig(async (home) => {
    const bin = join(home, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "npm.cjs"), npm);
    await writeFile(join(bin, "npm"), `#!/bin/sh\nexec "${process.execPath}" "${bin}/npm.cjs" "$@"\n`);
    await chmod(join(bin, "npm"), 0o755);
    return { env: { PATH: `${bin}:${process.env["PATH"]}` } };
  });

const runs = async ({ home }: Rig) =>
  (await readFile(join(home, "runs"), "utf8").catch(() => "")).trim().split("\n").filter(Boolean);

const agentOf = async ({ client }: Rig, name: string) =>
  (await client.get<{ agents: { agent: string }[] }>("/api/agents")).agents.find(
    ({ agent }) => agent === name,
  );

const closeGate = ({ home }: Rig) => run("mkfifo", [join(home, "gate")]);
const openGate = ({ home }: Rig) => writeFile(join(home, "gate"), "");

test("adding an agent installs it once for concurrent requests, at a pinned version, and returns its list entry", async () => {
  await using rig = await openWithNpm();
  await closeGate(rig);
  const both = [rig.client.post("/api/agents/pi/add"), rig.client.post("/api/agents/pi/add")];
  await until(async () => (await runs(rig)).length > 0, { what: "npm is at work" });
  expect(await agentOf(rig, "pi")).toMatchObject({
    installed: false,
    package: { name: "@mariozechner/pi-coding-agent", version: "0.73.1" },
  });
  await openGate(rig);
  const [first, second] = await Promise.all(both);
  expect(first).toMatchObject({ agent: "pi", installed: true, version: "0.73.1" });
  expect(second).toEqual(first);
  expect(await agentOf(rig, "pi")).toEqual(first);
  expect(await runs(rig)).toEqual([expect.stringMatching(/^ci .*--ignore-scripts/)]);
  expect(JSON.parse(await readFile(join(rig.home, "locked"), "utf8"))).toMatchObject({
    version: "0.73.1",
    integrity: expect.stringMatching(/^sha512-/),
  });
});

test("an install continues when the client that requested it disconnects", async () => {
  await using rig = await openWithNpm();
  await closeGate(rig);
  const gone = new AbortController();
  const { url, token } = rig.server;
  const response = fetch(`${url}/api/agents/pi/add`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    signal: gone.signal,
  });
  await until(async () => (await runs(rig)).length > 0, { what: "npm is at work" });
  gone.abort();
  await expect(response).rejects.toThrow();
  await openGate(rig);
  await until(async () => ((await agentOf(rig, "pi")) as { installed?: boolean }).installed, {
    what: "the agent is installed anyway",
  });
});

test("an agent that cannot be added is refused with the reason and a remedy, and does not count as installed", async () => {
  await using rig = await openWithNpm();
  await writeFile(join(rig.home, "fails"), "");
  const add = (agent: string) => rig.client.ask("POST", `/api/agents/${agent}/add`);
  expect(await add("pi")).toMatchObject({
    status: 400,
    body: {
      ...{ code: "UNSUPPORTED", what: "add", fault: "AGENT_MISSING" },
      error: "npm ended with 1: code E404; 404 Not Found. Try again.",
    },
  });
  expect(await agentOf(rig, "pi")).toMatchObject({ installed: false });
  expect(await add("aider")).toMatchObject({
    status: 400,
    body: {
      ...{ code: "UNSUPPORTED", what: "add" },
      error: "Aider is not installed by Drover. Install aider yourself, so that it is found on PATH.",
    },
  });
  expect(await add("nobody")).toMatchObject({ status: 404, body: { code: "NOT_FOUND", what: "agent" } });
});

test("a server that shuts down aborts a running install and leaves nothing of it behind", async () => {
  await using rig = await openWithNpm();
  await closeGate(rig);
  const response = rig.client.ask("POST", "/api/agents/pi/add").catch(() => undefined);
  await until(async () => (await runs(rig)).length > 0, { what: "npm is at work" });
  expect(await rig.server.term()).toMatchObject({ code: 0 });
  await response;
  expect(await readdir(join(rig.server.droverHome, "agents"))).toEqual([]);
  expect(processesOf(rig.home)).toEqual([]);
});
