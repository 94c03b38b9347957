// Leaves processes behind in every possible way, all of which ignore SIGTERM. `--file` gets their pids:
// `child` shares the group; `session` leads its own session, is still our child, and has an empty environment;
// `orphan` was forked twice, leads its own session and has no parent: only its environment identifies its session.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { args, serve, stayAlive } from "./kit.mjs";

const DEAF = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1 << 30); console.log(process.pid);`;
const FORK = `
  const { spawn } = require("node:child_process");
  const child = spawn(process.execPath, ["-e", ${JSON.stringify(DEAF)}], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
  child.unref();`;

/** The pid that the process prints once it ignores SIGTERM. */
const start = async (program, options) => {
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"], ...options });
  const [data] = await once(child.stdout, "data");
  const pid = Number(data);
  // The process in between has exited.
  if (pid !== child.pid && child.exitCode === null) await once(child, "exit");
  return pid;
};

const [child, session, orphan] = await Promise.all([
  start(DEAF, {}),
  start(DEAF, { detached: true, env: {} }),
  start(FORK, { detached: true }),
]);
if (args.file)
  writeFileSync(args.file, `${JSON.stringify({ agent: process.pid, child, session, orphan })}\n`);
stayAlive();

serve({
  prompt({ say }) {
    say("They are everywhere.");
    return "end_turn";
  },
});
