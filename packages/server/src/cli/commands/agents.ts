import type { Preset } from "@drover/core";
import { findAgent } from "../../doctor/agents.ts";
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

async function inspect(cli: Cli, preset: Preset): Promise<LocalAgent> {
  const { home, serverEnvironment: environment } = cli.settings;
  const found = await findAgent(preset, { home, environment });
  const { agent, name, driver } = preset;
  return { agent, name: oneLine(name), driver, login: "unknown", connections: [], ...found };
}
