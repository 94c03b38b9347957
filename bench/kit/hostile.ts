import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Attack, Damage } from "../../test/kit/hostile-clients.ts";

export interface Siege extends AsyncDisposable {
  /** Ends the attack and returns what it did. */
  end(): Promise<Damage>;
}

/** Hostile clients in a separate process, so that the measured owner does not wait for them. */
export async function besiege(attack: Attack): Promise<Siege> {
  const program = join(import.meta.dirname, "..", "programs", "hostile.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(attack)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child.stdout, "data");
  return {
    async end() {
      child.stdin.end();
      await exited;
      return JSON.parse(output.trim().split("\n").at(-1) ?? "") as Damage;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
