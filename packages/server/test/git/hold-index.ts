import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const code = join(import.meta.dirname, "../../src/git/index-lock.ts");

/** Replaces an index, and stops while it holds the lock. */
const script = (index: string, by: string) => `
  const { replaceIndex } = await import(${JSON.stringify(code)});
  const isStill = () => new Promise(() => { console.log("locked"); setInterval(() => {}, 1e6); });
  await replaceIndex(${JSON.stringify(index)}, { by: ${JSON.stringify(by)}, isStill });
`;

/** A process that holds the lock of an index until it is killed, which leaves the lock. */
export async function holdIndex(index: string, by: string): Promise<{ kill9(): Promise<void> }> {
  const args = ["--input-type=module", "-e", script(index, by)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async kill9() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
