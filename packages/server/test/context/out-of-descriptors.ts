// Uses up all file descriptors, builds the runtime context, and prints it once descriptors are available again.
import { closeSync, openSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { buildSystemPromptAppend } from "../../src/context/index.ts";
import { deps } from "./support.ts";

const descriptors: number[] = [];
try {
  for (;;) descriptors.push(openSync("/dev/null", "r"));
} catch {
  // All descriptors are in use now.
}
const text = await buildSystemPromptAppend(process.argv[2] ?? "", deps);
// An unhandled error would end the process here.
await setImmediate();
for (const descriptor of descriptors) closeSync(descriptor);
process.stdout.write(text);
