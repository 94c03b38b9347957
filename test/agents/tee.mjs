// node tee.mjs --copy FILE [--hold BYTES --release FILE] -- COMMAND ARG…
// Runs COMMAND, forwards its input and output byte for byte, and keeps a copy of the output in FILE, whose name may have
// `%s` for the session. Forwards signals and exits as COMMAND does. After BYTES of output it forwards nothing until the
// release file exists; if COMMAND exits before that, the remaining output is lost.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { args, write } from "./kit.mjs";

const [command, ...commandArgs] = process.argv.slice(process.argv.indexOf("--") + 1);
const child = spawn(command, commandArgs, { stdio: ["pipe", "pipe", "inherit"] });
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

// The program may close its input, or exit, before all of it is forwarded.
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
