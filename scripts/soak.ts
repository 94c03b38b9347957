// `npm run soak [-- path …]`: the sweeps that `npm test` runs shortened, at their full length. Run it before a release.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./root.ts";

const sweeps = ["test/e2e/crash.test.ts"];
const given = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [join(root, "scripts", "test.ts"), ...(given.length > 0 ? given : sweeps)],
  { cwd: root, env: { ...process.env, SOAK: "1" }, stdio: "inherit" },
);
const [code] = await once(child, "exit");
process.exitCode = code ?? 1;
