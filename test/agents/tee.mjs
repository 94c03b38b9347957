// node tee.mjs --copy FILE [--hold BYTES --release FILE] -- COMMAND ARG…
// Runs COMMAND with its input and output passed through byte for byte, and keeps a copy of the output in FILE. Passes
// signals on and ends as COMMAND ends. After BYTES of output nothing more is passed on until the file to release it is
// there; when COMMAND ends before, the rest is lost.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { args, write } from "./kit.mjs";

const [command, ...rest] = process.argv.slice(process.argv.indexOf("--") + 1);
const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));

let room = Number(args.hold ?? Number.POSITIVE_INFINITY);
let held;

function pass(chunk) {
  write(chunk.subarray(0, room));
  held = chunk.length > room ? chunk.subarray(room) : undefined;
  room = Math.max(0, room - chunk.length);
  if (!held) return;
  child.stdout.pause();
  const look = setInterval(() => {
    if (!existsSync(args.release)) return;
    clearInterval(look);
    room = Number.POSITIVE_INFINITY;
    pass(held);
    child.stdout.resume();
  }, 20);
}

function end(code, signal) {
  if (signal === null) process.exit(code ?? 1);
  for (const name of signals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

// The program may close its input, or be gone, before all of it was passed on.
child.stdin.on("error", () => {});
process.stdin.pipe(child.stdin);
child.stdout.on("data", pass);
child.on("error", (error) => {
  console.error(`tee: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, signal) => {
  if (held) end(code, signal);
});
child.on("close", end);
