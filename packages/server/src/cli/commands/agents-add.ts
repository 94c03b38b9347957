import { Fault } from "@drover/core";
import { installAgent } from "../../programs/install.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { localAgent, programSearch } from "./agents.ts";
import { readConfig } from "./config.ts";

export interface AddRequest {
  readonly name: string;
  readonly options: { readonly json?: boolean };
}

/** Installs an agent's program into the home. */
export async function agentsAdd(cli: Cli, { name, options }: AddRequest): Promise<ExitCode> {
  const { presets } = await readConfig(cli);
  const preset = presets.get(name);
  if (!preset) {
    throw new CliError(
      exit.notFound,
      `No agent named "${name}".`,
      `Known agents: ${[...presets.keys()].join(", ")}`,
    );
  }
  const { package: npm } = preset;
  if (npm) say(cli, `Installing ${npm.name} ${npm.version} …`);
  const search = programSearch(cli);
  const onOutput = (text: string) => cli.stderr.speak(text);
  const installed = await installAgent(preset, { ...search, onOutput }).catch((error: unknown) => {
    if (error instanceof Fault) throw new CliError(exit.failed, error.message);
    throw error;
  });
  if (!installed.ok) throw new CliError(npm ? exit.failed : exit.usage, installed.error.message);
  const agent = await localAgent(cli, preset);
  if (options.json) {
    printJson(cli, agent);
    return exit.done;
  }
  const { remedy } = agent;
  say(cli, `${preset.name} is installed.${remedy ? ` To log in, ${remedy}.` : ""}`);
  say(cli, `Try: drover run ${name} "hello"`);
  return exit.done;
}
