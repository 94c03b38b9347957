import { join, relative } from "node:path";
import { Fault, shellWord, withTrust } from "@drover/core";
import type { CommandEnd, ProcessRecord, ProjectRow, SessionRow } from "../../ports.ts";
import { type Requester, requireDirectory } from "../agent/open-request.ts";
import { programOf } from "../agent/program-of.ts";
import type { Change } from "../session/journal.ts";
import { claimPorts } from "./claim-ports.ts";

/** The commands were ended with the turn or the session: they stay due. */
const cancelled = new Fault("AGENT_UNREACHABLE", "The setup of the worktree was stopped");

/**
 * Runs a project's setup commands in a new worktree, before an agent works there. They are due until all of them have
 * succeeded: after a failure or a crash they run again from the first.
 */
export class WorkspaceSetup {
  private readonly session: Requester;
  private running: Promise<void> | undefined;
  private abort = new AbortController();

  constructor(session: Requester) {
    this.session = session;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  get isDue(): boolean {
    return this.session.log.journal.row.runtime.setup !== undefined;
  }

  /** Runs the commands if they are due; concurrent callers share one run. Rejects with a Fault. */
  async ensure(): Promise<void> {
    if (!this.running && !this.isDue) return;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  /** Ends the commands that are running. */
  async cancel(): Promise<void> {
    this.abort.abort();
    await this.running?.catch(() => undefined);
  }

  private async run(): Promise<void> {
    const { log } = this.session;
    this.abort = new AbortController();
    await requireDirectory(log);
    await claimPorts(log);
    const project = await this.session.project();
    const commands = project?.setup ?? [];
    if (project && commands.length > 0) await this.announce(commands);
    for (const argv of commands) {
      const end = await this.command(argv, project);
      if (this.abort.signal.aborted) throw cancelled;
      if (end.exit !== 0) throw failed(argv, end);
    }
    await this.store(() => ({ setup: null }));
  }

  private async command(argv: readonly string[], project: ProjectRow | undefined): Promise<CommandEnd> {
    const { deps, journal } = this.session.log;
    const { id, workspace } = journal.row;
    const { preset } = programOf(this.session.log);
    const run = journal.row.runtime.run + 1;
    await this.store(() => ({ run, process: null }));
    if (this.abort.signal.aborted) throw cancelled;
    const trusted = withTrust(preset, project?.trusted ?? false);
    const started = (process: ProcessRecord) => this.store(() => ({ process }));
    const end = await deps.runCommand({
      ...{ sessionId: id, argv, cwd: directoryOf(journal.row, project), started },
      env: deps.environment({ preset: trusted, sessionId: id, project: project?.env, workspace }),
      directory: deps.runDirectory(id, run),
      timeoutMs: deps.settings.setupTimeoutMs,
      stopGraceMs: deps.settings.supervision.stopGraceMs,
      signal: this.abort.signal,
    });
    await this.store(() => ({ process: null }));
    return end;
  }

  private async announce(commands: ProjectRow["setup"]): Promise<void> {
    const { log } = this.session;
    const { turn } = log.journal.state;
    const message = `Setting up the worktree: ${commands.map(shown).join(", ")}`;
    const notice = { type: "notice" as const, code: "WORKSPACE_SETUP", message, facts: { commands } };
    await log.untilStored(() =>
      log.commit({ events: [{ ...notice, ...(turn ? { turnId: turn.id } : {}) }], durability: "output" }),
    );
  }

  private async store(next: () => NonNullable<Change["runtime"]>): Promise<void> {
    const { log } = this.session;
    await log.untilStored(() => log.journal.append({ runtime: next(), durability: "output" }));
  }
}

/** The project's directory, as the worktree has it. */
function directoryOf({ workspace }: SessionRow, project: ProjectRow | undefined): string {
  const { path, repository } = workspace;
  const below = repository && project ? relative(repository.top, project.path) : "";
  return below.startsWith("..") ? path : join(path, below);
}

const shown = (argv: readonly string[]): string => argv.map(shellWord).join(" ");

function failed(argv: readonly string[], { exit, reason, tail }: CommandEnd): Fault {
  const how = exit === null ? (reason ?? "It was killed") : `It exited with ${exit}`;
  const message = `The project's setup command \`${shown(argv)}\` failed. ${how}. Resume the session to try again.`;
  return new Fault("WORKSPACE_SETUP_FAILED", message, { facts: { command: shown(argv), exit, tail } });
}
