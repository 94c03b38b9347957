import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killAllOf } from "../../../../test/kit/processes.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import type { Settings } from "../../src/cli/cli.ts";
import { type Started, start } from "./run-cli.ts";

const stub = join(import.meta.dirname, "stub-serve.ts");

/** A new home. Processes started on it are killed at the end of the test. */
export async function stubHome(): Promise<string> {
  const home = await tempDir("home-");
  onTestFinished(async () => {
    await killAllOf(home.path);
    await home.remove();
  });
  return home.path;
}

/** Runs `drover ARGS` with a stub in place of the server it would start. */
export function drover(
  home: string,
  args: string[],
  settings: Partial<Settings> & { stub?: string } = {},
): Started {
  const { stub: behaviour = "listens", ...others } = settings;
  return start(args, {
    home,
    settings: {
      autostart: true,
      command: [process.execPath, "-C", "source", stub],
      serverEnvironment: { DROVER_HOME: home, STUB: behaviour },
      ...others,
    },
  });
}

export const serverFile = async (home: string) =>
  JSON.parse(await readFile(join(home, "server.json"), "utf8")) as { pid: number; url: string };
