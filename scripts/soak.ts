// `npm run soak [-- path …]`: the sweeps that `npm test` runs shortened, at their full length. Run it before a release.
// `npm run soak -- agents [WORD …]`: agents of other people's, added by what docs/agents.md says and nothing else.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./root.ts";

const sweeps = [
  "test/e2e/crash.test.ts",
  "packages/server/test/engine/reactors.test.ts",
  "packages/server/test/engine/kills.test.ts",
];
const given = process.argv.slice(2);
const command =
  given[0] === "agents"
    ? ["-C", "source", join(root, "test", "soak", "agents", "run.ts"), ...given.slice(1)]
    : [join(root, "scripts", "test.ts"), ...(given.length > 0 ? given : sweeps)];
const env = { ...process.env, SOAK: "1" };
const child = spawn(process.execPath, command, { cwd: root, env, stdio: "inherit" });
const [code] = await once(child, "exit");
process.exitCode = code ?? 1;
