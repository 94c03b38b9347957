// node scripts/n24.js <command> …: runs a command with Node 24 and the repository's tools first on PATH.
// Every npm script goes through it, so that a machine with an older Node needs nothing but `npm ci`.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, node24Directory, refuseOldNode } from "../packages/server/bin/node24.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!existsSync(join(root, "node_modules"))) {
  console.error(`Nothing is installed in ${root} yet: run \`npm ci\` there first.`);
  process.exit(2);
}
const directory = node24Directory(root);
if (!directory) {
  refuseOldNode(
    `run \`npm ci\` here (node_modules has none for ${process.platform}-${process.arch}), or install it.`,
  );
}
const [command, ...args] = process.argv.slice(2);
if (!command) {
  console.error("usage: node scripts/n24.js <command> [argument …]");
  process.exit(2);
}
const path = [directory, join(root, "node_modules", ".bin"), process.env.PATH]
  .filter(Boolean)
  .join(delimiter);
launch(command, args, { env: { ...process.env, PATH: path }, shell: process.platform === "win32" });
