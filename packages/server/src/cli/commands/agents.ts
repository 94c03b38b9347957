import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Preset } from "@drover/core";
import { findExecutable } from "../../process/executable.ts";
import type { AgentInfo } from "../../service.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson } from "../print.ts";
import { Client } from "../server/client.ts";
import { oneLine } from "../view/style.ts";
import { table } from "../view/table.ts";
import { readConfig } from "./config.ts";

/** Without a server nobody speaks with an agent: what only a driver knows is left out. */
export type LocalAgent = Omit<AgentInfo, "capabilities">;

/** The agents that can be run: as the server sees them, or from the configuration when none is running. */
export async function agents(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connectIfRunning(cli, { server: options.server });
  const answer = client
    ? await client.get<{ agents: (AgentInfo | LocalAgent)[] }>("/api/agents")
    : { agents: await localAgents(cli) };
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  const rows = answer.agents.map((agent) => [
    agent.agent,
    agent.installed ? (agent.version ?? "yes") : "no",
    agent.driver,
    agent.login,
    String(agent.connections.length),
    agent.command,
  ]);
  const headings = ["AGENT", "INSTALLED", "DRIVER", "LOGIN", "RUNNING", "COMMAND"];
  cli.stdout.write(table(headings, rows, { output: cli.stdout }));
  return exit.done;
}

async function localAgents(cli: Cli): Promise<LocalAgent[]> {
  const { presets } = await readConfig(cli);
  return Promise.all([...presets.values()].map((preset) => inspect(cli, preset)));
}

export async function inspect(cli: Cli, preset: Preset): Promise<LocalAgent> {
  const { home, serverEnvironment: env } = cli.settings;
  const program = { command: preset.command, cwd: home.directory, env };
  const added = await addedVersion(cli, preset);
  const found = await findExecutable(program).catch(() => undefined);
  return {
    agent: preset.agent,
    name: oneLine(preset.name),
    driver: preset.driver,
    command: found ?? preset.command,
    installed: added !== undefined || found !== undefined,
    ...(added === undefined ? {} : { version: added }),
    login: "unknown",
    connections: [],
  };
}

/** The version that `drover agents add` installed, if it did. */
async function addedVersion(cli: Cli, preset: Preset): Promise<string | undefined> {
  if (!preset.package) return undefined;
  const manifest = join(cli.settings.home.agents, "node_modules", preset.package.name, "package.json");
  const text = await readFile(manifest, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}
