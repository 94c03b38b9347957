import type { Finding, InspectedAgent, Preset } from "@drover/core";
import { dryRun } from "../programs/dry-run.ts";
import { inspectAgent } from "../programs/inspect.ts";
import type { ProgramSearch } from "../programs/locate.ts";
import { broken, fine, note } from "./finding.ts";

export interface AgentCheck {
  readonly search: ProgramSearch;
  /** Also starts every installed program. */
  readonly deep: boolean;
}

/** Executable, version and login of every agent that is installed or was configured; the others in one line. */
export async function checkAgents(presets: readonly Preset[], check: AgentCheck): Promise<Finding[]> {
  const inspected = await Promise.all(
    presets.map(async (preset) => ({ preset, found: await inspectAgent(preset, check.search) })),
  );
  const findings: Finding[] = [];
  // One after the other: several at once would slow each down too much to be judged.
  for (const { preset, found } of inspected) findings.push(...(await findingsOf(preset, { found, check })));
  return [...findings, ...absent(inspected)];
}

async function findingsOf(
  preset: Preset,
  { found, check }: { found: InspectedAgent; check: AgentCheck },
): Promise<Finding[]> {
  const { agent, name } = preset;
  const title = `agent ${agent}`;
  if (!found.installed) {
    const remedy = `Install it, or set agents.${agent}.command.`;
    return isShipped(preset) ? [] : [note(title, `${found.command} is not installed`, remedy)];
  }
  const { version, command } = found;
  return [
    fine(title, version ? `${version}, ${command}` : command),
    ...versionFinding(preset, version),
    ...(found.login === "missing" ? [note(title, `${name} is not logged in`, toLogIn(found.remedy))] : []),
    ...(check.deep ? await dryFinding(preset, check.search) : []),
  ];
}

function versionFinding({ agent, name, package: npm }: Preset, version: string | undefined): Finding[] {
  if (!npm || version === undefined || version === npm.version) return [];
  const what = `${name} is ${version} here; Drover was tested with ${npm.version}`;
  return [note(`agent ${agent}`, what, `\`drover agents add ${agent}\` installs that one beside it.`)];
}

async function dryFinding(preset: Preset, search: ProgramSearch): Promise<Finding[]> {
  const title = `agent ${preset.agent}`;
  const run = await dryRun(preset, search);
  if (!run) return [];
  if (run.ok) return [fine(title, `started: ${run.said}`)];
  // An unknown program may not have a version option.
  if (!isShipped(preset) && preset.driver !== "acp") {
    return [
      note(
        title,
        `Could not get the version of ${preset.name}: ${run.why}`,
        "Start a session to see whether it works.",
      ),
    ];
  }
  const again = preset.package ? `\`drover agents add ${preset.agent}\` reinstalls it` : "Reinstall it";
  return [
    broken(title, `${preset.name} does not start: ${run.why}`, `${again}, or set agents.${preset.agent}.`),
  ];
}

/** Agents that were not configured get one line together, not one each. */
function absent(inspected: readonly { preset: Preset; found: InspectedAgent }[]): Finding[] {
  const missing = inspected.filter(({ preset, found }) => isShipped(preset) && !found.installed);
  const names = (hasPackage: boolean) =>
    missing
      .filter(({ preset }) => (preset.package !== undefined) === hasPackage)
      .map(({ preset }) => preset.agent);
  const [fromNpm, others] = [names(true), names(false)];
  return [
    ...(fromNpm.length > 0
      ? [note("agents", `Not installed: ${fromNpm.join(", ")}`, "`drover agents add NAME` installs one.")]
      : []),
    ...(others.length > 0
      ? [note("agents", `Not installed: ${others.join(", ")}`, "Not on npm; see the vendors' instructions.")]
      : []),
  ];
}

const isShipped = ({ verified }: Preset): boolean => verified !== undefined;

const toLogIn = (remedy: string | undefined): string => `To log in, ${remedy ?? "use its own program"}.`;
