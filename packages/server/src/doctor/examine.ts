import { existsSync } from "node:fs";
import type { DoctorReport, Finding, Preset, Result, WorktreeInfo } from "@drover/core";
import type { Home } from "../home.ts";
import type { StoreInspection } from "../ports.ts";
import { findExecutable } from "../process/executable.ts";
import type { ProgramSearch } from "../programs/locate.ts";
import { checkAccounts } from "./accounts.ts";
import { checkAgents } from "./agents.ts";
import { broken, fine, note } from "./finding.ts";
import { checkDatabase, checkHome, checkToken } from "./home.ts";
import { checkSpace, checkUsage } from "./space.ts";
import { checkWorktrees } from "./worktrees.ts";

export interface Examined {
  readonly home: Home;
  /** As a server starting now would find it. */
  readonly config: Result<
    {
      readonly file: string;
      readonly policy: string;
      readonly storage: { readonly minFree: number };
      readonly presets: ReadonlyMap<string, Preset>;
    },
    readonly { readonly message: string }[]
  >;
  /** The state of the server: it knows its own, others have to ask. */
  readonly server: Finding;
  readonly store: StoreInspection;
  /** Where agents' programs are searched. */
  readonly search: ProgramSearch;
  /** Changed settings that the running server uses only after a restart. */
  readonly restart?: readonly string[] | undefined;
  /** As the running server lists them. */
  readonly worktrees?: readonly WorktreeInfo[] | undefined;
  /** Also start them. */
  readonly deep?: boolean | undefined;
}

/** Checks everything Drover needs here, changes nothing, and returns a remedy for each finding. */
export async function examine(examined: Examined): Promise<DoctorReport> {
  const { home, config, server, store, search, restart = [], worktrees = [], deep = false } = examined;
  const base = [
    checkNode(process.versions.node),
    checkPlatform(process.platform),
    await checkGit(search),
    await checkHome(home),
    await checkToken(home),
    ...(await checkAccounts(home)),
    server,
    ...checkDatabase(home, store),
    ...(await checkUsage(home)),
    ...checkWorktrees(worktrees),
    ...waiting(restart),
  ];
  if (!config.ok) {
    const problems = config.error.map(({ message }) =>
      broken(
        "configuration",
        message,
        "Fix these lines; docs/operating.md lists every key. A running server keeps the previous configuration.",
      ),
    );
    return report([...base, ...problems]);
  }
  const { file, policy, storage, presets } = config.value;
  return report([
    ...base,
    fine("configuration", existsSync(file) ? file : `All defaults: there is no ${file}`),
    ...checkPolicy(policy),
    await checkSpace(home, storage.minFree),
    ...(await checkAgents([...presets.values()], { search, deep })),
  ]);
}

const report = (findings: Finding[]): DoctorReport => ({
  ok: findings.every(({ status }) => status !== "broken"),
  findings,
});

function waiting(restart: readonly string[]): Finding[] {
  if (restart.length === 0) return [];
  const what = `Changed, but in effect only after a restart: ${restart.join(", ")}`;
  return [note("configuration", what, "`drover down && drover serve`; agents keep running.")];
}

/** Ignored rules would be worse than none. */
function checkPolicy(file: string): Finding[] {
  if (!existsSync(file)) return [];
  const what = `${file} is not supported by this version and has no effect`;
  return [note("policy", what, "Use permission modes and approvals for the session until then.")];
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

/** Sessions run without it, but their changes cannot be shown. */
async function checkGit({ env }: ProgramSearch): Promise<Finding> {
  const file = await findExecutable({ command: "git", cwd: "/", env }).catch(() => undefined);
  if (file !== undefined) return fine("git", file);
  const what =
    "git is not installed: changes are not shown, and agents get no information about their repository";
  return note("git", what, "Install git with your package manager.");
}
