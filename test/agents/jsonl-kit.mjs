// What the little JSON-lines agents share: their prompt, and lines out of it.
import { readFileSync } from "node:fs";
import { args, write } from "./kit.mjs";

export { args, write };

/** The whole prompt, which ends by itself. */
export const prompt = () => readFileSync(0, "utf8");

/** The message in a prompt of sections; a prompt without them is its own message. */
export const messageOf = (text) => text.split(/^\[MESSAGE(?: [0-9a-f]{6})?\]\n/m).at(-1);

export const line = (message) => write(`${JSON.stringify(message)}\n`);
