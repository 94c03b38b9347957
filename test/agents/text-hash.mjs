// Writes the sha256 and length of the message in its prompt, from its input or from the file `--file`.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { args, messageOf, prompt, write } from "./jsonl-kit.mjs";

const message = messageOf(args.file === undefined ? prompt() : readFileSync(args.file, "utf8"));
write(`${createHash("sha256").update(message).digest("hex")} ${Buffer.byteLength(message)}\n`);
