// What the JSON-lines agents share.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { args, write } from "./kit.mjs";

export { args, write };

/** The whole prompt, up to the end of input. */
export const prompt = () => readFileSync(0, "utf8");

/** The message of a prompt with sections; without sections, the whole prompt. */
export const messageOf = (text) => text.split(/^\[MESSAGE(?: [0-9a-f]{6})?\]\n/m).at(-1);

export const line = (message) => write(`${JSON.stringify(message)}\n`);

/** Resolves once the file of `--release` exists; at once without that option. */
export async function released() {
  while (args.release !== undefined && !existsSync(args.release)) await delay(10);
}
