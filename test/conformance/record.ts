// `npm run record -- AGENT [SCENE …] [--out DIR]`: runs a fixed list of prompts through a vendor's real program against a
// scripted model, and writes what it printed, with nothing of this machine in it, for the tests of what reads such
// output. With scenes named, only those are recorded anew.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { installVendor } from "./install.ts";
import { programs } from "./programs.ts";
import { type CommandLine, commandLines } from "./record-agents.ts";
import { recordScene } from "./record-run.ts";
import { deniedScene, failureScenes, type Scene, turnScenes } from "./record-scenes.ts";

interface Entry {
  name: string;
}

const scenesOf = ({ deniedCall, usageLimit }: CommandLine): Scene[] => [
  ...turnScenes,
  deniedScene(deniedCall && { call: deniedCall }),
  ...failureScenes(usageLimit),
];

async function recorded(directory: string): Promise<Map<string, Entry>> {
  const text = await readFile(join(directory, "index.json"), "utf8").catch(() => '{"scenes":[]}');
  const { scenes } = JSON.parse(text) as { scenes: Entry[] };
  return new Map(scenes.map((entry) => [entry.name, entry]));
}

async function record(agent: string, line: CommandLine, transcripts: string): Promise<void> {
  const installed = await installVendor();
  const { version } = programs[line.program](installed);
  const directory = join(transcripts, `${agent}-${version}`);
  await mkdir(directory, { recursive: true });
  const entries = await recorded(directory);
  for (const scene of scenesOf(line)) {
    const { name } = scene;
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const { lines, stderr, ...rest } = await recordScene(line, scene, installed);
    await writeFile(join(directory, `${name}.jsonl`), lines);
    entries.set(name, { name, ...rest, ...(lines === "" ? { stderr } : {}) });
    console.log(`${name}: exit ${rest.exitCode ?? rest.signal}, ${Buffer.byteLength(lines)} bytes`);
  }
  const index = { agent, version, scenes: [...entries.values()] };
  await writeFile(join(directory, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
}

const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const [agent = "", ...chosen] = positionals;
const line = commandLines[agent];

if (line) await record(agent, line, values.out ?? join(dirname(import.meta.dirname), "transcripts"));
else {
  console.error(`usage: npm run record -- ${Object.keys(commandLines).join("|")} [SCENE …] [--out DIR]`);
  process.exitCode = 2;
}
