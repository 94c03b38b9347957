// `npm run record -- AGENT [--out DIR]`: runs a fixed list of prompts through a vendor's real program against a scripted
// model, and writes what it printed, with nothing of this machine in it, for the tests of what reads such output.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { installVendor } from "./install.ts";
import { programs } from "./programs.ts";
import { commandLines } from "./record-agents.ts";
import { recordScene } from "./record-run.ts";
import { deniedScene, failureScenes, turnScenes } from "./record-scenes.ts";

const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const [agent = ""] = positionals;
const line = commandLines[agent];

if (line) {
  const installed = await installVendor();
  const { version } = programs[line.program](installed);
  const transcripts = values.out ?? join(dirname(import.meta.dirname), "transcripts");
  const directory = join(transcripts, `${agent}-${version}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const scenes: object[] = [];
  const denied = deniedScene(line.deniedCall && { call: line.deniedCall });
  for (const scene of [...turnScenes, denied, ...failureScenes(line.usageLimit)]) {
    const { lines, stderr, ...rest } = await recordScene(line, scene, installed);
    await writeFile(join(directory, `${scene.name}.jsonl`), lines);
    scenes.push({ name: scene.name, ...rest, ...(lines === "" ? { stderr } : {}) });
    console.log(`${scene.name}: exit ${rest.exitCode ?? rest.signal}, ${Buffer.byteLength(lines)} bytes`);
  }
  await writeFile(join(directory, "index.json"), `${JSON.stringify({ agent, version, scenes }, null, 2)}\n`);
} else {
  console.error(`usage: npm run record -- ${Object.keys(commandLines).join("|")} [--out DIR]`);
  process.exitCode = 2;
}
