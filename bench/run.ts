// npm run bench -- [scenario…] [--json] [--smoke] [--force] [--profile DIR]
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildTestedPackage } from "../scripts/build-package.ts";
import { inLanes } from "../test/kit/lanes.ts";
import { killAllOf } from "../test/kit/processes.ts";
import { busyAbove, thisMachine } from "./machine.ts";
import { describeMachine, describeResult, describeWanting, type Result, tally } from "./report.ts";
import type { Check, RunOptions, Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios/index.ts";

const usage = `npm run bench -- [${scenarios.map(({ id }) => id).join(" | ")} …]
  --smoke        runs tiny scenarios that only check for lost or duplicated data; the last line is "N passed, N failed"
  --json         the figures as one JSON object on standard output
  --force        measure although the machine is busy
  --profile DIR  CPU profiles of the B1 servers, for \`node bench/profile.ts DIR\``;

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        smoke: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        force: { type: "boolean", default: false },
        profile: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

function chosen(ids: readonly string[]): readonly Scenario[] {
  if (ids.length === 0) return scenarios;
  return ids.map((id) => {
    const found = scenarios.find((scenario) => scenario.id.toLowerCase() === id.toLowerCase());
    return found ?? refuse(`Unknown scenario ${id}.\n${usage}`);
  });
}

/** Everything a run creates, including processes, is below one directory, so that nothing outlives the run. */
function makeRunDirectory() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "drover-bench-")));
  process.env["TMPDIR"] = path;
  const clear = async (): Promise<readonly string[]> => {
    const leftovers = await killAllOf(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    return leftovers.map(({ pid, command }) => `process ${pid}: ${command}`);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(130)));
  }
  return { clear };
}

async function runOne(scenario: Scenario, options: RunOptions): Promise<Result> {
  const { id, title } = scenario;
  const start = performance.now();
  try {
    return { id, title, ...(await scenario.run(options)) };
  } catch (error) {
    console.error(error);
    return {
      id,
      title,
      figures: [],
      checks: [{ what: "it completes", ok: false, seen: String(error) }],
    };
  } finally {
    options.progress(`${id} took ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}

const { values, positionals } = parse();
if (values.help) {
  console.log(usage);
  process.exit();
}
const selected = chosen(positionals);
const machine = thisMachine();
if (machine.load > busyAbove && !values.smoke && !values.force) {
  refuse(
    `The machine is busy (load ${machine.load.toFixed(2)}, more than ${busyAbove}). Wait, or measure anyway with --force.`,
  );
}
const profile = values.profile === undefined ? undefined : resolve(values.profile);
if (profile !== undefined) mkdirSync(profile, { recursive: true });

// The servers of the scenarios run from it, and it must not be older than the code that is measured.
await buildTestedPackage();
const { clear } = makeRunDirectory();
const say = (text: string) => void (values.json || console.log(text));
say(describeMachine(machine));
if (values.smoke) say("Smoke: sizes are tiny and figures are meaningless; only the checks count.");
const results: Result[] = [];
// Nothing is measured in a smoke run, so scenarios may disturb each other.
await inLanes(values.smoke ? 2 : 1, selected, async (scenario) => {
  const progress = (text: string) => console.error(`  ${scenario.id}: ${text}`);
  const result = await runOne(scenario, { smoke: values.smoke, progress, ...(profile ? { profile } : {}) });
  results.push(result);
  say(describeResult(result));
});
const leftovers = await clear();
const clean: Check = {
  what: "no process is left running",
  ok: leftovers.length === 0,
  seen: leftovers.join(", "),
};
results.push({ id: "run", title: "the run itself", figures: [], checks: [clean] });
const { passed, failed } = tally(results);
if (values.json)
  console.log(JSON.stringify({ machine, smoke: values.smoke, results, passed, failed }, null, 2));
else
  console.log(`${clean.ok ? "" : `\n${describeWanting("run", clean)}`}\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
