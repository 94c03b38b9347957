// Where the vendors' executables are in the directory of `install.ts`. Native ones are run directly: a vendor's wrapper
// would intercept signals, and some wrappers only exist after an install script.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface Program {
  version: string;
  command: string;
  /** Arguments before the agent's own. */
  args: string[];
}

const platform = `${process.platform}-${process.arch}`;

/** The platform's package has its files in a directory named after the compilation target. */
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
