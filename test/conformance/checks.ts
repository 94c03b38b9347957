// What every third-party agent must do without Drover, for `behaviours.ts` to be about Drover.
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

/** Everything one turn needs, and what is to be looked at afterwards. */
interface Scene {
  given: {
    entry: ReturnType<ConformanceAgent["entry"]>;
    home: string;
    cwd: string;
    proxy: string;
    prompt: string;
  };
  model: Model;
  /** What the command wrote; undefined when it never ran. */
  notes(): Promise<string | undefined>;
}

async function inScene(agent: ConformanceAgent, installed: string, play: (scene: Scene) => Promise<void>) {
  await using model = await startModel(agent.dialect);
  await using home = await tempDir("conformance-");
  const cwd = join(home.path, "project");
  await mkdir(cwd);
  try {
    await play({
      given: { entry: agent.entry(installed, model.url), home: home.path, cwd, proxy: model.url, prompt },
      model,
      notes: () => readFile(join(cwd, "notes"), "utf8").catch(() => undefined),
    });
  } finally {
    // Adapters outlived by the program they wrap: it would write on below the removed home.
    await killAllOf(home.path);
  }
}

/**
 * The requests of the conversation itself, the first and the one with the command's result: agents ask a smaller model
 * for a title besides, when they live long enough.
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
    check(`${agent.name} alone asks, and runs an approved command once`, async ({ given, model, notes }) => {
      const result = await directTurn({ ...given, decision: "allow_once" });
      assert.equal(result.asked, 1);
      assert.equal(await notes(), "x\n");
      assert.equal(result.stopReason, "end_turn");
      assert.match(result.text, /Done\.$/);
      assert.equal(roundTrips(model), 2);
    }),
    check(`${agent.name} alone does not run a rejected command`, async ({ given, notes }) => {
      const result = await directTurn({ ...given, decision: "reject_once" });
      assert.equal(result.asked, 1);
      assert.equal(await notes(), undefined);
      assert.equal(result.stopReason, afterDenial);
    }),
  ];
}
