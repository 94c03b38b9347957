import { mkdirSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Serves the demo agent on stdin and stdout until stdin ends, then ends the process. Everything is loaded after the
 * compile cache is enabled: that is most of its start-up time.
 */
export async function runDemoAgent(version = process.env["DROVER_VERSION"] ?? "development"): Promise<void> {
  cacheCompiledCode();
  const [{ demoAgent }, { stdioStream }] = await Promise.all([import("./agent.ts"), import("./stdio.ts")]);
  let exitCode = 0;
  const stream = stdioStream((error) => {
    exitCode = 1;
    process.stderr.write(`demo: output was lost: ${error.message}\n`);
  });
  const connection = demoAgent(version).connect(stream);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => {
      connection.close(); // ends the commands that run
      flushCompileCache(); // Node does it at an ordinary exit only, and an agent is mostly ended by a signal
      process.kill(process.pid, signal);
    });
  }
  await connection.closed;
  process.exit(exitCode);
}

/**
 * The same place as for the `drover` command: Node's default is shared by all users, and its creator could put code
 * there.
 */
function cacheCompiledCode(): void {
  const directory = join(homedir(), ".cache", "drover");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    enableCompileCache(directory);
  } catch {
    // It starts without it, a little slower.
  }
}
