// `npm run record -- AGENT [SCENE …] [--out DIR]`: runs a fixed list of prompts through a vendor's real program against a
// scripted model, and writes its redacted output for the tests of the code that reads it. If scenes are named, only
// those are recorded again.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { installVendor } from "./install.ts";
import { programs } from "./programs.ts";
import { type CommandLine, commandLines } from "./record-agents.ts";
import { claudeScenes, recordClaude } from "./record-claude.ts";
import { recordScene } from "./record-run.ts";
import { deniedScene, failureScenes, type Scene, turnScenes } from "./record-scenes.ts";

/** One scene's lines and the rest of its index entry. */
interface Take {
  lines: string;
  [key: string]: unknown;
}

/** An agent that can be recorded. */
interface Recordable {
  version: string;
  scenes: { name: string; take(): Promise<Take> }[];
}

interface Entry {
  name: string;
}

const scenesOf = ({ deniedCall, usageLimit }: CommandLine): Scene[] => [
  ...turnScenes,
  deniedScene(deniedCall && { call: deniedCall }),
  ...failureScenes(usageLimit),
];

/** Keeps standard error only if there are no lines. */
async function takeOf(line: CommandLine, scene: Scene, installed: string): Promise<Take> {
  const { stderr, ...recording } = await recordScene(line, scene, installed);
  return recording.lines === "" ? { ...recording, stderr } : { ...recording };
}

function recordable(agent: string, installed: string): Recordable {
  const line = commandLines[agent];
  const { version } = programs[line?.program ?? "claude"](installed);
  const scenes = line
    ? scenesOf(line).map((scene) => ({ name: scene.name, take: () => takeOf(line, scene, installed) }))
    : claudeScenes.map((scene) => ({ name: scene.name, take: () => recordClaude(scene, installed) }));
  return { version, scenes };
}

async function recorded(directory: string): Promise<Map<string, Entry>> {
  const text = await readFile(join(directory, "index.json"), "utf8").catch(() => '{"scenes":[]}');
  const { scenes } = JSON.parse(text) as { scenes: Entry[] };
  return new Map(scenes.map((entry) => [entry.name, entry]));
}

async function record(agent: string, transcripts: string): Promise<void> {
  const { version, scenes } = recordable(agent, await installVendor());
  const directory = join(transcripts, `${agent}-${version}`);
  await mkdir(directory, { recursive: true });
  const entries = await recorded(directory);
  for (const { name, take } of scenes) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const { lines, ...rest } = await take();
    await writeFile(join(directory, `${name}.jsonl`), lines);
    entries.set(name, { name, ...rest });
    console.log(`${name}: ${Buffer.byteLength(lines)} bytes`);
  }
  const index = { agent, version, scenes: [...entries.values()] };
  await writeFile(join(directory, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
}

const agents = ["claude", ...Object.keys(commandLines)];
const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const [agent = "", ...chosen] = positionals;

if (agents.includes(agent)) {
  await record(agent, values.out ?? join(dirname(import.meta.dirname), "transcripts"));
} else {
  console.error(`usage: npm run record -- ${agents.join("|")} [SCENE …] [--out DIR]`);
  process.exitCode = 2;
}
