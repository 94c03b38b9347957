// `npm run soak -- agents [WORD …]`: real agents without a preset, configured as in docs/agents.md, against scripted models
// on loopback. Runs the checks whose title has all the words.

import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { buildTestedPackage } from "../../../scripts/build-package.ts";
import { groupOf } from "../../conformance/groups.ts";
import { installVendor } from "../../conformance/install.ts";
import { Report } from "../../conformance/report.ts";
import { inLanes } from "../../kit/lanes.ts";
import { subjectOf } from "./agent.ts";
import { behaviours } from "./behaviours.ts";
import { droid } from "./droid.ts";
import { grok } from "./grok.ts";
import { kilo } from "./kilo.ts";
import { kimi } from "./kimi.ts";
import { nanocoder } from "./nanocoder.ts";

/** What Grok's wrapper does before it starts the program. */
async function unpackGrok(installed: string): Promise<void> {
  const program = join(installed, "grok");
  if (existsSync(program)) return;
  const packed = join(installed, "node_modules", "@xai-official", "grok-linux-x64", "bin", "grok.br");
  const fresh = `${program}.${process.pid}`;
  await writeFile(fresh, brotliDecompressSync(await readFile(packed)), { mode: 0o755 });
  await rename(fresh, program);
}

const report = new Report(process.argv.slice(2));
await report.runAll(async () => {
  const directory = join(import.meta.dirname, "vendor");
  await buildTestedPackage();
  const installed = await installVendor({ name: "soak", directory, size: "1 GB" });
  await unpackGrok(installed);
  const groups = [kimi, grok, nanocoder, kilo, droid].map((agent) => {
    const subject = subjectOf(agent);
    const own = behaviours.filter(({ of }) => of?.(subject) ?? true);
    return groupOf(subject, own, installed);
  });
  await inLanes(2, groups, (group) => report.run(group));
});
