// Where the vendors' executables are in what `install.ts` installed. The native ones are run themselves: a vendor's
// wrapper would stand between them and a signal, and some are made only by an install script.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface Program {
  version: string;
  command: string;
  /** What comes before the agent's own arguments. */
  args: string[];
}

const platform = `${process.platform}-${process.arch}`;

/** The package of this platform has its files in one directory that is named after the compiler's target. */
function codexBinary(modules: string): string {
  const vendor = join(modules, "@openai", `codex-${platform}`, "vendor");
  const [target = ""] = readdirSync(vendor);
  return join(vendor, target, "bin", "codex");
}

export const programs = {
  claude: (installed) => ({
    version: "2.1.325",
    command: join(installed, "node_modules", "@anthropic-ai", `claude-agent-sdk-${platform}`, "claude"),
    args: [],
  }),
  codex: (installed) => ({
    version: "0.166.0",
    command: codexBinary(join(installed, "node_modules")),
    args: [],
  }),
  gemini: (installed) => ({
    version: "0.61.0",
    command: process.execPath,
    args: [join(installed, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js")],
  }),
  opencode: (installed) => ({
    version: "1.18.33",
    command: join(installed, "node_modules", `opencode-${platform}`, "bin", "opencode"),
    args: [],
  }),
} satisfies Record<string, (installed: string) => Program>;

export type ProgramName = keyof typeof programs;
