import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Target } from "../../test/kit/server.ts";

/** One of `programs/`: a server that does as little as its floor allows, and says its port first. */
export async function runBare(program: string, given: string): Promise<Target & AsyncDisposable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "programs", program), given], {
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
