#!/usr/bin/env node
// The `drover` command. Plain JavaScript that parses on Node 18, so that an old Node gets a sentence and not a syntax
// error. In a checkout it runs the source (core's exports need the `source` condition, which Node takes only when a
// process starts); in a published package, where type stripping is refused, it runs the built JavaScript.
import { existsSync, mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { become, isNode24, node24Directory, refuseOldNode } from "./node24.js";

const self = fileURLToPath(import.meta.url);
const packageRoot = dirname(dirname(self));
const source = join(packageRoot, "src", "main.ts");
const isCheckout = existsSync(source) && !packageRoot.split(sep).includes("node_modules");
const conditions = process.execArgv.join(" ");
const hasSourceCondition = /(^| )(-C|--conditions)[ =]?source( |$)/.test(conditions);

if (!isNode24 || (isCheckout && !hasSourceCondition)) {
  const directory = node24Directory(packageRoot);
  if (!directory) refuseOldNode("install Node 24, or run `npm ci` where Drover is checked out.");
  const node = join(directory, process.platform === "win32" ? "node.exe" : "node");
  become(node, [...(isCheckout ? ["-C", "source"] : []), self, ...process.argv.slice(2)]);
} else {
  cacheCompiledCode();
  await import(pathToFileURL(isCheckout ? source : join(packageRoot, "dist", "main.js")).href);
}

/** Not in Node's own place: that is shared by all users of the machine, and who makes it could put code there. */
function cacheCompiledCode() {
  const directory = join(homedir(), ".cache", "drover");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    module.enableCompileCache?.(directory);
  } catch {
    // It starts without, a little slower.
  }
}
