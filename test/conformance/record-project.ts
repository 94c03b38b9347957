import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cleanEnvironment } from "../kit/server.ts";

/** Makes the directory a repository. Otherwise agents would find one in the machine's directories above. */
export async function makeRepository(directory: string, home: string): Promise<void> {
  await promisify(execFile)("git", ["init", "-q"], { cwd: directory, env: cleanEnvironment(home) });
}
