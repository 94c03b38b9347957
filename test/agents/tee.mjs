// node tee.mjs --copy FILE -- COMMAND ARG…
// Runs COMMAND with its input and output passed through byte for byte, and keeps a copy of the output in FILE. Passes
// signals on and ends as COMMAND ends.
import { spawn } from "node:child_process";
import { write } from "./kit.mjs";

const [command, ...rest] = process.argv.slice(process.argv.indexOf("--") + 1);
const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));

// The program may close its input, or be gone, before all of it was passed on.
child.stdin.on("error", () => {});
process.stdin.pipe(child.stdin);
child.stdout.on("data", write);
child.on("error", (error) => {
  console.error(`tee: ${error.message}`);
  process.exit(127);
});
child.on("close", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
