import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The Node.js arguments for running one of our own programs. `programs` is the directory that holds it: the sources in
 * a checkout, the bundle in a published package; `name` is its path in there.
 */
export function ownProgram(programs: string, name: string): string[] {
  const source = join(programs, `${name}.ts`);
  return existsSync(source) ? ["--conditions=source", source] : [join(programs, `${name}.js`)];
}
