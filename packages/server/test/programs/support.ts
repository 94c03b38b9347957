import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentPackage, Preset } from "@drover/core";
import { beforeEach, onTestFinished } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import type { ProgramSearch } from "../../src/programs/locate.ts";

export const kitPackage: AgentPackage = { name: "@kit/agent", version: "1.2.3", bin: "@kit/agent/cli.js" };

export const kitPreset = (changes: Partial<Preset> = {}): Preset => ({
  ...{ agent: "kit", name: "Kit", driver: "jsonl", command: "kit", args: ["run"], env: {}, passEnv: [] },
  ...changes,
});

export interface Machine {
  readonly home: string;
  readonly search: ProgramSearch;
  /** Creates a file below the machine's root and returns its path. */
  file(path: string, text?: string, mode?: number): Promise<string>;
  /** Creates a package as npm would have installed it. */
  install(modules: string, about: { name: string; version: string }): Promise<void>;
  link(path: string, target: string): Promise<void>;
}

/** A separate machine for every test: `agents` belongs to Drover, `bin` is the PATH. */
export function machine(): Machine {
  let root = "";
  beforeEach(async () => {
    const directory = await tempDir("programs-");
    root = directory.path;
    await mkdir(join(root, "bin"));
    onTestFinished(() => directory.remove());
  });
  const file: Machine["file"] = async (path, text = "", mode = 0o644) => {
    const whole = join(root, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text);
    await chmod(whole, mode);
    return whole;
  };
  return {
    get home() {
      return root;
    },
    get search() {
      const path = join(root, "bin");
      return { agents: join(root, "agents"), own: join(root, "own", "src"), env: { PATH: path, HOME: root } };
    },
    file,
    install: async (modules, about) => {
      await file(join(modules, about.name, "package.json"), JSON.stringify(about));
    },
    link: (path, target) => symlink(target, join(root, path)),
  };
}
