// `npm run soak`: the full versions of sweeps that `npm test` shortens and conformance skips. Run it before a release.
// `npm run soak -- path …`: only these test files.
// `npm run soak -- agents [WORD …]`: third-party agents, set up only as docs/agents.md says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.ts";

/** The test files that run longer in a soak. */
async function sweeps(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob("{packages/*/test,test}/**/*.test.ts", { cwd: root })) {
    if ((await readFile(join(root, path), "utf8")).includes('/kit/soak.ts"')) found.push(path);
  }
  return found;
}

const tests = (paths: readonly string[]) => ["scripts/test.ts", ...paths];
const fromSource = (script: string, words: readonly string[]) => ["-C", "source", script, ...words];

async function commands(args: readonly string[]): Promise<string[][]> {
  const [first, ...words] = args;
  if (first === "agents") return [fromSource("test/soak/agents/run.ts", words)];
  if (first !== undefined) return [tests(args)];
  return [tests(await sweeps()), fromSource("test/conformance/run.ts", ["soak:"])];
}

for (const command of await commands(process.argv.slice(2))) {
  const env = { ...process.env, SOAK: "1" };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = code ?? 1;
}
