import { Fault } from "@drover/core";
import { inspectAgent } from "../../programs/inspect.ts";
import { installAgent } from "../../programs/install.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { say } from "../print.ts";
import { programSearch } from "./agents.ts";
import { readConfig } from "./config.ts";

/** Installs an agent's program into the home. */
export async function agentsAdd(cli: Cli, name: string): Promise<ExitCode> {
  const { presets } = await readConfig(cli);
  const preset = presets.get(name);
  if (!preset) {
    throw new CliError(
      exit.notFound,
      `There is no agent ${name}.`,
      `These are known: ${[...presets.keys()].join(", ")}`,
    );
  }
  const { package: npm } = preset;
  if (npm) say(cli, `Installing ${npm.name} ${npm.version} …`);
  const search = programSearch(cli);
  const onOutput = (text: string) => void cli.stderr.write(text);
  const installed = await installAgent(preset, { ...search, onOutput }).catch((error: unknown) => {
    if (error instanceof Fault) throw new CliError(exit.failed, error.message);
    throw error;
  });
  if (!installed.ok) throw new CliError(npm ? exit.failed : exit.usage, installed.error.message);
  const { remedy } = await inspectAgent(preset, search);
  say(cli, `${preset.name} is installed.${remedy ? ` To log in, ${remedy}.` : ""}`);
  say(cli, `Try: drover run ${name} "hello"`);
  return exit.done;
}
