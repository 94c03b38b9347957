import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspectAgent } from "../../programs/inspect.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { say } from "../print.ts";
import { programSearch } from "./agents.ts";
import { readConfig } from "./config.ts";

/** Installs an agent's program, pinned and without running any script of its packages, into the home. */
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
  if (!preset.package) {
    throw new CliError(
      exit.usage,
      `${preset.name} is not installed by Drover.`,
      `Install ${preset.command} yourself, so that it is found on PATH.`,
    );
  }
  const { name: packageName, version } = preset.package;
  say(cli, `Installing ${packageName} ${version} …`);
  await npmInstall(cli, `${packageName}@${version}`);
  const { installed, remedy } = await inspectAgent(preset, programSearch(cli));
  if (!installed) {
    throw new CliError(
      exit.failed,
      `npm is done, but ${packageName} has no program for ${process.platform}-${process.arch}.`,
      `Install ${preset.name} yourself and set agents.${name}.command.`,
    );
  }
  say(cli, `${preset.name} is installed.${remedy ? ` To log in, ${remedy}.` : ""}`);
  say(cli, `Try: drover run ${name} "hello"`);
  return exit.done;
}

async function npmInstall(cli: Cli, what: string): Promise<void> {
  const { home, serverEnvironment } = cli.settings;
  await mkdir(home.agents, { recursive: true, mode: 0o700 });
  // A package of its own, so that npm does not look for one further up.
  await writeFile(join(home.agents, "package.json"), '{ "private": true }\n', { flag: "wx" }).catch(
    () => undefined,
  );
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier"];
  const args = ["install", "--ignore-scripts", "--save-exact", ...quiet, what];
  const child = spawn("npm", args, {
    cwd: home.agents,
    // npm on a newer Node does not look into the system's certificates by itself.
    env: { ...serverEnvironment, NODE_USE_SYSTEM_CA: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (chunk: Buffer) => cli.stderr.write(chunk));
  child.stderr.on("data", (chunk: Buffer) => cli.stderr.write(chunk));
  const [code] = await once(child, "close").catch((error: unknown) => {
    throw new CliError(
      exit.failed,
      `npm could not be started: ${String(error)}`,
      "Install Node.js with npm.",
    );
  });
  if (code !== 0) {
    throw new CliError(
      exit.failed,
      `npm ended with ${code}.`,
      "What it said is above; the registry must be reachable.",
    );
  }
}
