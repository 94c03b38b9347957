// node bench/profile.ts DIR: summarizes the CPU profiles of `npm run bench -- B1 --profile DIR`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const SHOWN = 30;

/** `packages/server/src/engine/journal.ts` → `engine`; Node and V8 by name. */
function areaOf(url: string): string {
  const own = /packages\/(core|server)\/src\/(?:([^/]+)\/(?:([^/]+)\/)?)?[^/]+$/.exec(url);
  if (own) return own[1] === "core" ? "core" : [own[2] ?? "app", own[3]].filter(Boolean).join("/");
  if (url.includes("node_modules/")) return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url;
  return url === "" ? "native and V8" : url;
}

function add(sums: Map<string, number>, key: string, micros: number): void {
  sums.set(key, (sums.get(key) ?? 0) + micros);
}

function show(title: string, sums: Map<string, number>, total: number): void {
  console.log(`\n${title}`);
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  for (const [key, micros] of sorted.slice(0, SHOWN)) {
    console.log(
      `${((100 * micros) / total).toFixed(1).padStart(6)} %  ${(micros / 1000).toFixed(0).padStart(6)} ms  ${key}`,
    );
  }
}

const [directory = "."] = process.argv.slice(2);
for (const file of readdirSync(directory).filter((name) => name.endsWith(".cpuprofile"))) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(directory, file), "utf8")) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const areas = new Map<string, number>();
  let busy = 0;
  for (const [n, id] of samples.entries()) {
    const frame = frames.get(id);
    const micros = timeDeltas[n] ?? 0;
    if (!frame || frame.functionName === "(idle)" || frame.functionName === "(root)") continue;
    busy += micros;
    const place = frame.url === "" ? "" : ` ${frame.url.split("/").at(-1)}:${frame.lineNumber + 1}`;
    add(functions, `${frame.functionName || "(anonymous)"}${place}`, micros);
    add(areas, frame.url === "" ? frame.functionName : areaOf(frame.url), micros);
  }
  console.log(`\n# ${file}: ${(busy / 1e6).toFixed(2)} s busy`);
  show("by area, self time", areas, busy);
  show("by function, self time", functions, busy);
}
