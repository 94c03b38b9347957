import type { Cli } from "../cli.ts";
import { broken, type Finding, fine, note } from "../doctor/finding.ts";
import { checkDatabase, checkHome, checkToken } from "../doctor/home.ts";
import { checkServer } from "../doctor/server.ts";
import { checkSpace, checkUsage } from "../doctor/space.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson } from "../print.ts";
import { styleFor } from "../view/style.ts";
import { inspect } from "./agents.ts";

export interface DoctorOptions {
  readonly json?: boolean;
}

/** Looks at everything Drover needs here, changes nothing, and says for each finding what to do about it. */
export async function doctor(cli: Cli, options: DoctorOptions): Promise<ExitCode> {
  const findings = await examine(cli);
  const isBroken = findings.some(({ status }) => status === "broken");
  if (options.json) printJson(cli, { ok: !isBroken, findings });
  else show(cli, findings);
  return isBroken ? exit.failed : exit.done;
}

async function examine(cli: Cli): Promise<Finding[]> {
  const { home } = cli.settings;
  const loaded = await cli.parts.loadConfig();
  const base = [
    checkNode(process.versions.node),
    checkPlatform(process.platform),
    await checkHome(home),
    await checkToken(home),
    await checkServer(cli),
    ...(await checkDatabase(home)),
    ...(await checkUsage(home)),
  ];
  if (!loaded.ok) {
    const problems = loaded.error.map(({ message }) =>
      broken("configuration", message, "`drover config --help` and the manual list what is allowed."),
    );
    return [...base, ...problems];
  }
  const config = loaded.value;
  const agents = await Promise.all([...config.presets.values()].map((preset) => inspect(cli, preset)));
  return [
    ...base,
    fine("configuration", config.file),
    await checkSpace(home, config.storage.minFree),
    ...agents.map(({ agent, name, installed, command }) =>
      installed
        ? fine(`agent ${agent}`, command)
        : note(
            `agent ${agent}`,
            `${command} is not installed`,
            config.presets.get(agent)?.package
              ? `\`drover agents add ${agent}\` installs it.`
              : `Install ${name}, or set agents.${agent}.command.`,
          ),
    ),
  ];
}

function checkNode(version: string): Finding {
  const isNew = Number(version.split(".")[0]) >= 24;
  return isNew
    ? fine("node", version)
    : broken("node", `Node ${version} is too old`, "Install Node 24 or newer.");
}

function checkPlatform(platform: NodeJS.Platform): Finding {
  if (platform === "linux") return fine("platform", "linux");
  if (platform === "darwin") return note("platform", "macOS is experimental");
  return broken("platform", `${platform} is not supported yet`, "On Windows use WSL.");
}

function show(cli: Cli, findings: readonly Finding[]): void {
  const { green, yellow, red, dim } = styleFor(cli.stdout, cli.settings);
  const marks = { ok: green("✓"), note: yellow("·"), broken: red("✗") };
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, message, remedy } of findings) {
    cli.stdout.write(`${marks[status]} ${check.padEnd(width)}  ${message}\n`);
    if (remedy) cli.stdout.write(`${" ".repeat(width + 4)}${dim(`→ ${remedy}`)}\n`);
  }
}
