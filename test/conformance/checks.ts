// What every third-party agent must do without Drover. If these pass, a failing behaviour is Drover's fault.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { killAllOf } from "../kit/processes.ts";
import { tempDir } from "../kit/temp.ts";
import { type Model, startModel } from "../models/model.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { ConformanceAgent } from "./agents.ts";
import { directTurn } from "./direct.ts";

export interface Check {
  title: string;
  run(): Promise<void>;
}

const command = "echo x >> notes";
const prompt = scriptedPrompt({ say: "I write it down.", run: command }, { say: "Done." });

/** What one turn needs, and what to inspect afterwards. */
interface Scene {
  options: {
    entry: ReturnType<ConformanceAgent["entry"]>;
    home: string;
    cwd: string;
    proxy: string;
    prompt: string;
  };
  model: Model;
  /** What the command wrote; undefined if it never ran. */
  notes(): Promise<string | undefined>;
}

async function inScene(agent: ConformanceAgent, installed: string, play: (scene: Scene) => Promise<void>) {
  await using model = await startModel(agent.dialect);
  await using home = await tempDir("conformance-");
  const cwd = join(home.path, "project");
  await mkdir(cwd);
  try {
    await play({
      options: { entry: agent.entry(installed, model.url), home: home.path, cwd, proxy: model.url, prompt },
      model,
      notes: () => readFile(join(cwd, "notes"), "utf8").catch(() => undefined),
    });
  } finally {
    // The program that an adapter wraps can outlive it, and would keep writing to the removed home.
    await killAllOf(home.path);
  }
}

/**
 * The requests of the conversation itself: the first, and the one with the command's result. Agents that run long enough
 * also ask a smaller model for a title.
 */
function roundTrips({ requests }: Model): number {
  const answered = requests.filter(({ step }) => step?.run || step?.say === "Done.");
  return answered.filter(({ body }) => body["model"] === answered[0]?.body["model"]).length;
}

export function checksOf(agent: ConformanceAgent, installed: string): Check[] {
  const check = (title: string, play: (scene: Scene) => Promise<void>): Check => ({
    title,
    run: () => inScene(agent, installed, play),
  });
  const afterDenial = agent.afterDenial;
  return [
    check(
      `${agent.name} alone asks, and runs an approved command once`,
      async ({ options, model, notes }) => {
        const result = await directTurn({ ...options, decision: "allow_once" });
        assert.equal(result.requests, 1);
        assert.equal(await notes(), "x\n");
        assert.equal(result.stopReason, "end_turn");
        assert.match(result.text, /Done\.$/);
        assert.equal(roundTrips(model), 2);
      },
    ),
    check(`${agent.name} alone does not run a rejected command`, async ({ options, notes }) => {
      const result = await directTurn({ ...options, decision: "reject_once" });
      assert.equal(result.requests, 1);
      assert.equal(await notes(), undefined);
      assert.equal(result.stopReason, afterDenial);
    }),
  ];
}
