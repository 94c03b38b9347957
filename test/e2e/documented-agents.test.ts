// Follows docs/agents.md to the letter: saves every file it shows and runs every command.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Item, Session } from "@drover/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../packages/server/src/config.ts";
import { shippedPresets } from "../../packages/server/src/drivers/presets.ts";
import { tempDir } from "../kit/temp.ts";
import { until } from "../kit/until.ts";
import { drover, openRig, type Rig } from "./support.ts";

const manual = await readFile(join(dirname(dirname(import.meta.dirname)), "docs", "agents.md"), "utf8");
const blocks = [...manual.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
  language,
  code,
}));
const files = [...manual.matchAll(/`\/home\/you\/([\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)];
const yaml = blocks.filter(({ language }) => language === "yaml").map(({ code }) => code);

test("every configuration in the agent manual is valid", async () => {
  expect(yaml.length).toBeGreaterThan(4);
  for (const code of yaml) {
    await using home = await tempDir();
    await writeFile(join(home.path, "drover.yaml"), code);
    const loaded = await loadConfig({ shipped: shippedPresets(""), env: { DROVER_HOME: home.path } });
    expect(loaded, code).toMatchObject({ ok: true });
  }
});

describe("the scripts in the manual work as shown", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
    for (const [, name = "", code = ""] of files) await writeFile(join(rig.home, name), code);
    const examples = yaml.filter((code) => code.includes("/home/you/"));
    const agents = examples.map((code) => code.replace("agents:\n", "").replaceAll("/home/you", rig.home));
    const flagged = agents.map((code) =>
      code.replace(/^ {2}\w+/, "$&-flagged").replace(/driver: \w+(,?\s+)/, "$&systemFlag: --tell$1"),
    );
    await writeFile(
      join(rig.server.droverHome, "drover.yaml"),
      `agents:\n${[...agents, ...flagged].join("")}`,
    );
    await until(async () => (await drover(rig.home, "agents")).stdout.includes("lister"), {
      what: "the running server has loaded the agents",
    });
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const run = async (agent: string) => {
    const ran = await drover(rig.home, "run", agent, "--cwd", join(rig.home, "work"), "hello there");
    const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
    const session = sessions.find((one) => one.agent === agent);
    const { items } = await rig.client.get<{ items: Item[] }>(`/api/sessions/${session?.id}/messages`);
    return { ...ran, session, items };
  };

  test("a Python script that answers in plain text", async () => {
    const { code, stdout } = await run("shout");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "You wrote 2 words:\nHELLO THERE\n" });
  });

  test.for([
    ["shout-flagged", "HELLO THERE\n"],
    ["lister-flagged", "You wrote: hello there\n"],
  ] as const)("%s, which gets its system text by a flag", async ([agent, answer]) => {
    const { code, stdout } = await run(agent);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(answer) });
  });

  test("a bash script that answers with lines of JSON, including tool calls", async () => {
    const { code, stdout, session, items } = await run("lister");
    expect(code).toBe(0);
    expect(stdout).toContain("You wrote: hello there");
    expect(items).toMatchObject([
      { kind: "user", text: "hello there" },
      { kind: "thinking", text: "I look around before I answer.", status: "complete" },
      {
        kind: "tool",
        tool: {
          ...{ toolName: "shell", kind: "execute", title: "ls -a", input: { command: "ls -a" } },
          ...{ status: "complete", result: { text: ".\n.." } },
        },
      },
      {
        kind: "tool",
        tool: {
          ...{ title: "cat no-such-file", status: "error" },
          result: { text: expect.stringContaining("No such file") },
        },
      },
      { kind: "text", text: "You wrote: hello there", status: "complete" },
    ]);
    expect(session).toMatchObject({
      usage: { inputTokens: 11, outputTokens: 3 },
      capabilities: { completion: "exit", heldByMode: false },
    });
  });
});
