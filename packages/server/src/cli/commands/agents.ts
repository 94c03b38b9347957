import { type AgentInfo, offeredModes, type Preset } from "@drover/core";
import { inspectAgent } from "../../programs/inspect.ts";
import type { ProgramSearch } from "../../programs/locate.ts";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { abilities } from "../view/abilities.ts";
import { printTable } from "../view/table.ts";
import { clip, oneLine } from "../view/text.ts";
import { readConfig } from "./config.ts";

/** Lists agents as the running server sees them, or from the configuration if no server is running. */
export async function agents(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connectIfRunning(cli, { server: options.server });
  const answer = client
    ? await client.get<{ agents: AgentInfo[] }>("/api/agents")
    : { agents: await localAgents(cli) };
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  const installed = answer.agents.filter((agent) => agent.installed);
  const others = answer.agents.filter((agent) => !agent.installed);
  const headings = ["AGENT", "INSTALLED", "PROTOCOL", "LOGIN", "ABILITIES, OR HOW TO INSTALL"];
  printTable(cli.stdout, { headings, rows: [...installed, ...others].map(row) });
  if (installed.some(({ login }) => login === "missing")) say(cli, "`drover doctor` shows how to log in.");
  return exit.done;
}

/** Where to look for agents' programs. */
export const programSearch = ({ settings }: Cli): ProgramSearch => ({
  agents: settings.home.agents,
  own: settings.programs,
  env: settings.serverEnvironment,
});

async function localAgents(cli: Cli): Promise<AgentInfo[]> {
  const { presets } = await readConfig(cli);
  return Promise.all([...presets.values()].map((preset) => localAgent(cli, preset)));
}

/** An agent as a server would report it, without running processes. */
export async function localAgent(cli: Cli, preset: Preset): Promise<AgentInfo> {
  const driver = await cli.parts.driver(preset);
  return {
    agent: preset.agent,
    name: oneLine(preset.name),
    driver: preset.driver,
    connections: [],
    capabilities: driver.capabilities(preset),
    modes: offeredModes(preset),
    lacks: driver.lacks(preset),
    ...(await inspectAgent(preset, programSearch(cli))),
  };
}

function row(info: AgentInfo) {
  const { agent, installed, version, driver, login, remedy, connections, lacks } = info;
  const running = connections.length > 0 ? [`${connections.length} running`] : [];
  const trust = lacks.includes("distrust") ? ["trusts any project"] : [];
  const what = installed ? [...running, ...abilities(info), ...trust] : [plain(remedy)];
  return [
    agent,
    installed ? clip(version ?? "yes", 12) : "no",
    driver,
    installed ? login : "",
    what.join(", "),
  ];
}

/** Removes the backticks around commands. */
const plain = (remedy = ""): string => oneLine(remedy.replaceAll("`", ""));
