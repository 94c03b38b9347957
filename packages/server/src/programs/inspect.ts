import type { AgentPackage, InspectedAgent, Preset } from "@drover/core";
import { agentEnvironment } from "../process/environment.ts";
import { findProgram, type ProgramSearch } from "./locate.ts";
import { loginOf, loginRemedy } from "./login.ts";

export async function inspectAgent(preset: Preset, search: ProgramSearch): Promise<InspectedAgent> {
  const found = await findProgram(preset, search);
  const login = await loginOf(preset, environmentOf(preset, search));
  const isWanting = !found || login === "missing";
  const remedy = isWanting && (found ? await loginRemedy(preset, search) : installRemedy(preset));
  return {
    installed: found !== undefined,
    command: found?.file ?? preset.command,
    ...(found?.version ? { version: found.version } : {}),
    login,
    ...(preset.package ? { package: pick(preset.package) } : {}),
    ...(preset.verified ? { verified: preset.verified } : {}),
    ...(remedy ? { remedy } : {}),
  };
}

const pick = ({ name, version }: AgentPackage) => ({ name, version });

/** What the agent's process would get outside any session. */
export const environmentOf = ({ env, passEnv }: Preset, search: ProgramSearch): Record<string, string> =>
  agentEnvironment({ server: search.env, preset: env, passEnv, sessionId: "" });

const installRemedy = ({ agent, command, package: npm }: Preset): string =>
  npm ? `\`drover agents add ${agent}\`` : `install \`${command}\` yourself`;
