import type { Config } from "../../config.ts";
import { describeSource } from "../../config.ts";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { styleFor } from "../view/style.ts";

export interface ConfigOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** What is configured and where each value comes from. */
export async function config(cli: Cli, options: ConfigOptions): Promise<ExitCode> {
  const loaded = await readConfig(cli, options.config);
  const settings = [...loaded.sources].map(([path, source]) => ({
    path,
    value: valueAt(loaded, path),
    source: describeSource(source),
  }));
  if (options.json) {
    const agents = [...loaded.presets.values()].map(({ env, ...rest }) => ({
      ...rest,
      env: Object.keys(env),
    }));
    const bySetting = Object.fromEntries(settings.map(({ path, ...rest }) => [path, rest]));
    printJson(cli, { home: loaded.home.directory, file: loaded.file, settings: bySetting, agents });
    return exit.done;
  }
  const { dim } = styleFor(cli.stdout, cli.settings);
  const width = Math.max(...settings.map(({ path }) => path.length));
  for (const { path, value, source } of settings) {
    const origin = source === "default" ? "" : dim(`  (${source})`);
    cli.stdout.write(`${path.padEnd(width)}  ${JSON.stringify(value)}${origin}\n`);
  }
  say(cli, `Home ${loaded.home.directory}, configuration ${loaded.file}. Durations in ms, sizes in bytes.`);
  return exit.done;
}

/** The configuration, or everything that is wrong with it as one error. */
export async function readConfig(cli: Cli, file?: string): Promise<Config> {
  const loaded = await cli.parts.loadConfig({ config: file });
  if (loaded.ok) return loaded.value;
  throw new CliError(exit.usage, loaded.error.map(({ message }) => message).join("\n"));
}

function valueAt(config: Config, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], config);
}
