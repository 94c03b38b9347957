import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..", "src");

/** Node's internal modules that are loaded after importing these modules. */
async function loadedWith(...modules: string[]): Promise<string[]> {
  const imports = modules.map((module) => `await import(${JSON.stringify(join(source, module))});`).join("");
  const script = `${imports} console.log(JSON.stringify(process.moduleLoadList));`;
  const args = ["-C", "source", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as string[];
}

test("neither the server nor the CLI loads Node's fetch at startup, which would take longer than everything else", async () => {
  const loaded = await loadedWith("serve.ts", "cli/server/http.ts");
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => name.includes("undici"))).toEqual([]);
});
