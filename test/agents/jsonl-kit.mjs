// What the little JSON-lines agents share: their prompt, and lines out of it.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { args, write } from "./kit.mjs";

export { args, write };

/** The whole prompt, which ends by itself. */
export const prompt = () => readFileSync(0, "utf8");

/** The message in a prompt of sections; a prompt without them is its own message. */
export const messageOf = (text) => text.split(/^\[MESSAGE(?: [0-9a-f]{6})?\]\n/m).at(-1);

export const line = (message) => write(`${JSON.stringify(message)}\n`);

/** Resolves once the file of `--release` is there; at once without that option. */
export async function released() {
  while (args.release !== undefined && !existsSync(args.release)) await delay(10);
}
