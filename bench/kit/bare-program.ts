import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Target } from "../../test/kit/server.ts";

/** Runs one of `programs/`: a minimal server that prints its port first. */
export async function runBare(program: string, argument: string): Promise<Target & AsyncDisposable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "programs", program), argument], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(child.stdout.setEncoding("utf8"), "data");
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    token: "",
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}
