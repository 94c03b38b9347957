// An agent whose program was installed into Drover's home, described by nothing but its shipped preset.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openRig, openSession, readJson } from "./support.ts";

/** Answers like the real program, and records how it was started. */
const program = `
const { readFileSync, writeFileSync } = require("node:fs");
const argv = process.argv.slice(2);
const prompt = readFileSync(0, "utf8");
writeFileSync(process.env.HOME + "/started", JSON.stringify({ node: process.execPath, argv, prompt }));
const say = (line) => console.log(JSON.stringify(line));
const at = argv.indexOf("--session");
say({ type: "session", id: at < 0 ? "01a1-first" : argv[at + 1] });
say({ type: "message_update", assistantMessageEvent: { type: "thinking_delta", delta: "hm" } });
for (const delta of ["hello ", "there"]) say({ type: "message_update", assistantMessageEvent: { type: "text_delta", delta } });
say({ type: "turn_end", message: { stopReason: "toolUse" } });
say({ type: "turn_end", message: { stopReason: "stop" } });
say({ type: "agent_end" });
`;

async function install(home: string): Promise<void> {
  const about = { name: "@mariozechner/pi-coding-agent", version: "0.73.1" };
  const directory = join(home, ".drover", "agents", about.name, "node_modules", about.name);
  const file = join(directory, "dist", "cli.js");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "package.json"), JSON.stringify(about));
  await writeFile(file, program);
}

interface Started {
  node: string;
  argv: string[];
  prompt: string;
}

test("P10 an added agent runs from the home with Drover's own Node, and is listed with its version and remedy", async () => {
  await using rig = await openRig(async (home) => {
    await install(home);
    return {};
  });
  const { agents } = await rig.client.get<{ agents: { agent: string }[] }>("/api/agents");
  const about = (name: string) => agents.find(({ agent }) => agent === name);
  expect(agents).toHaveLength(21);
  expect(about("pi")).toMatchObject({
    ...{ driver: "jsonl", installed: true, version: "0.73.1", login: "unknown" },
    verified: expect.stringContaining("0.73.1"),
    command: expect.stringMatching(/\.drover\/agents\/.*\/dist\/cli\.js$/),
  });
  expect(about("cline")).toMatchObject({ installed: false, remedy: "`drover agents add cline`" });

  const started = () => readJson<Started>(join(rig.home, "started"));
  await using session = await openSession(rig, "pi", { system: "Be brief." });
  expect(await session.turn("hi")).toMatchObject({ ok: true, reason: "end_turn" });
  expect(session.follower.text()).toBe("hello there");
  const { node, argv, prompt } = await started();
  expect(node).toBe(process.execPath);
  const readOnly = ["--tools", "read,grep,find,ls"];
  expect(argv.slice(0, 6)).toEqual(["--mode", "json", "--print", ...readOnly, "--append-system-prompt"]);
  expect(argv[6]).toMatch(/^<env>[\s\S]*Be brief\.$/);
  expect(prompt).toBe("[MESSAGE]\nhi");
  expect(await session.turn("again")).toMatchObject({ ok: true });
  expect((await started()).argv.slice(-2)).toEqual(["--session", "01a1-first"]);
});
