import type { ConfigReport, Finding, WorktreeList } from "@drover/core";
import { type Examined, examine } from "../../doctor/examine.ts";
import type { Cli } from "../cli.ts";
import { checkServer } from "../doctor/server.ts";
import { type ExitCode, exit } from "../exit.ts";
import { printJson } from "../print.ts";
import { Client } from "../server/client.ts";
import { style } from "../terminal/styled.ts";
import { Screen } from "../view/screen.ts";
import { programSearch } from "./agents.ts";

export interface DoctorOptions {
  readonly json?: boolean;
  /** Also start the program of every installed agent. */
  readonly deep?: boolean;
}

/** Prints the findings of `examine`. */
export async function doctor(cli: Cli, options: DoctorOptions): Promise<ExitCode> {
  const { home } = cli.settings;
  const config = await cli.parts.loadConfig();
  const server = await checkServer(cli);
  const store = await cli.parts.inspectStore();
  const search = programSearch(cli);
  using screen = new Screen(cli);
  screen.busy(options.deep ? "starting every installed agent" : "checking");
  const asked = server.status === "ok" ? await askServer(cli) : {};
  const report = await examine({ home, config, server, store, search, ...asked, deep: options.deep });
  screen.busy("");
  if (options.json) printJson(cli, report);
  else show(cli, report.findings);
  return report.ok ? exit.done : exit.failed;
}

/** What only the running server knows: settings that it uses only after a restart, and worktrees. */
async function askServer(cli: Cli): Promise<Pick<Examined, "restart" | "worktrees">> {
  // Without the token the server cannot be asked; that is a separate finding.
  const unanswered = () => undefined;
  const client = await Client.connectIfRunning(cli).catch(unanswered);
  const config = await client?.get<ConfigReport>("/api/config").catch(unanswered);
  const list = await client?.get<WorktreeList>("/api/workspaces").catch(unanswered);
  return { restart: config?.restart, worktrees: list?.workspaces };
}

function show(cli: Cli, findings: readonly Finding[]): void {
  const { green, yellow, red, dim } = style;
  const marks = { ok: green("✓"), note: yellow("·"), broken: red("✗") };
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, message, remedy } of findings) {
    cli.stdout.line([marks[status], ` ${check.padEnd(width)}  ${message}`]);
    if (remedy) cli.stdout.line([" ".repeat(width + 4), dim(`→ ${remedy}`)]);
  }
}
