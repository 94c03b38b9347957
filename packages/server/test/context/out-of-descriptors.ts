// Opens files until no more can be opened, asks for the runtime context, and prints it when files can be opened again.
import { closeSync, openSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { buildSystemPromptAppend } from "../../src/context/index.ts";
import { deps } from "./support.ts";

const descriptors: number[] = [];
try {
  for (;;) descriptors.push(openSync("/dev/null", "r"));
} catch {
  // This is the state to be tested.
}
const text = await buildSystemPromptAppend(process.argv[2] ?? "", deps);
// An error that nobody listens to would end the process here.
await setImmediate();
for (const descriptor of descriptors) closeSync(descriptor);
process.stdout.write(text);
