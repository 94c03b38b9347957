import { enableCompileCache, flushCompileCache } from "node:module";

/**
 * Serves the demo agent on stdin and stdout until stdin ends, then ends the process. Everything is loaded after the
 * compile cache is on: that is most of its start-up time.
 */
export async function runDemoAgent(version = process.env["DROVER_VERSION"] ?? "development"): Promise<void> {
  enableCompileCache();
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
