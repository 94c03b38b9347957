// An agent without a preset, configured only with the lines that docs/agents.md gives for drover.yaml.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { type AgentHome, type HomeRequest, ownTemporary } from "../../conformance/homes/home.ts";
import { acpCapabilities, type Subject } from "../../conformance/subjects.ts";
import { anthropic } from "../../models/anthropic.ts";
import { scriptedPrompt } from "../../models/script.ts";

export interface SoakAgent extends Partial<Pick<Subject, "afterDenial" | "capabilities" | "lacks">> {
  /** Its key in drover.yaml. */
  name: string;
  /** Where its program is in the installed packages: npm's link or the native program itself. */
  program(installed: string): string;
  /** The home that makes it talk to a scripted model and to nothing else. */
  home(request: HomeRequest): Promise<AgentHome>;
}

type Entry = Record<string, unknown> & { env?: Record<string, string> };

const page = join(import.meta.dirname, "..", "..", "..", "docs", "agents.md");

/** The documented configuration, word for word. */
async function documented(): Promise<Record<string, Entry>> {
  const text = await readFile(page, "utf8");
  const blocks = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = ""]) => parse(block) as object);
  return Object.assign({}, ...blocks.map((block) => ("agents" in block ? block.agents : {})));
}

const entries = await documented();

export function subjectOf({ name, program, home, ...peculiar }: SoakAgent): Subject {
  const entry = entries[name];
  if (!entry) throw new Error(`docs/agents.md has no entry for ${name}`);
  return {
    ...{ name, dialect: anthropic, capabilities: acpCapabilities, afterDenial: "end_turn", lacks: [] },
    // Some agents take half a minute to start on a busy machine.
    serverEnv: { DROVER__SUPERVISION__START_TIMEOUT: "2m" },
    ...peculiar,
    entry: (installed) => ({ ...entry, command: program(installed) }),
    home: async (request) => {
      const { env } = await home(request);
      return { env: { ...entry.env, ...(await ownTemporary(request.home)), ...env } };
    },
    prompt: (steps) => scriptedPrompt(...steps),
  };
}

/** The program that npm links. */
export const linked = (name: string) => (installed: string) => join(installed, "node_modules", ".bin", name);
