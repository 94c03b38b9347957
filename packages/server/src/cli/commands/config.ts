import { existsSync } from "node:fs";
import { reportConfig } from "../../config/report.ts";
import { formatValue } from "../../config/units.ts";
import type { Config } from "../../config.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { style } from "../terminal/styled.ts";

export interface ConfigOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Prints the configuration and where each value comes from. */
export async function config(cli: Cli, options: ConfigOptions): Promise<ExitCode> {
  const report = reportConfig(await readConfig(cli, options.config));
  if (options.json) {
    printJson(cli, report);
    return exit.done;
  }
  const settings = Object.entries(report.settings);
  const width = Math.max(...settings.map(([path]) => path.length));
  for (const [path, { value, unit, from, source }] of settings) {
    const origin = from === "default" ? "" : style.dim(`  (${source})`);
    const written = unit && typeof value === "number" ? formatValue(value, unit) : JSON.stringify(value);
    cli.stdout.line([`${path.padEnd(width)}  ${written}`, origin]);
  }
  const missing = existsSync(report.file) ? "" : " (does not exist)";
  say(cli, `Home: ${report.home}. Configuration: ${report.file}${missing}.`);
  return exit.done;
}

/** Reads the configuration. Throws all of its errors as one. */
export async function readConfig(cli: Cli, file?: string): Promise<Config> {
  const loaded = await cli.parts.loadConfig({ config: file });
  if (loaded.ok) return loaded.value;
  throw new CliError(exit.usage, loaded.error.map(({ message }) => message).join("\n"));
}
