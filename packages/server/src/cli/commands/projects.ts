import { resolve } from "node:path";
import { type Project, shellWord } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";

/** Lists projects with what applies to their new sessions. */
export async function listProjects(cli: Cli, options: ServerOptions): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const answer = await client.get<{ projects: readonly Project[] }>("/api/projects");
  if (options.json) {
    printJson(cli, answer);
    return exit.done;
  }
  printTable(cli.stdout, {
    headings: ["PROJECT", "TRUSTED", "WORKSPACE", "SETUP", "PATH"],
    rows: answer.projects.map(({ name, trusted, workspace = "default", setup, path }) => [
      oneLine(name),
      trusted ? "yes" : "no",
      workspace,
      oneLine(setup.map(shown).join("; ")),
      oneLine(path),
    ]),
  });
  return exit.done;
}

const shown = (command: readonly string[]): string => command.map(shellWord).join(" ");

export interface SetOptions extends ServerOptions {
  /** False with --no-setup; true if neither was given. */
  readonly setup?: readonly (readonly string[])[] | boolean;
  readonly workspace?: "local" | "worktree" | "default";
}

/** Changes a project's settings. A directory that is no project yet becomes one. */
export async function setProject(
  cli: Cli,
  { project: wanted, options }: { readonly project: string; readonly options: SetOptions },
): Promise<ExitCode> {
  const { setup, workspace } = options;
  const patch = {
    ...(Array.isArray(setup) ? { setup } : {}),
    ...(setup === false ? { setup: [] } : {}),
    ...(workspace ? { workspace: workspace === "default" ? null : workspace } : {}),
  };
  if (Object.keys(patch).length === 0)
    throw new CliError(exit.usage, "Nothing to change.", "Use --setup, --no-setup or --workspace.");
  const client = await Client.connect(cli, { server: options.server });
  const { id } = await find(client, wanted);
  const project = await client.patch<Project>(`/api/projects/${encodeURIComponent(id)}`, patch);
  if (options.json) printJson(cli, project);
  else {
    const commands = project.setup.length > 0 ? project.setup.map(shown).join("; ") : "none";
    say(
      cli,
      `${oneLine(project.name)}: workspace ${project.workspace ?? "default"}, setup ${oneLine(commands)}.`,
    );
  }
  return exit.done;
}

async function find(client: Client, wanted: string): Promise<Project> {
  const { projects } = await client.get<{ projects: readonly Project[] }>("/api/projects");
  const fitting = projects.filter(({ id, name }) => id === wanted || name === wanted);
  const [first, ...others] = fitting;
  if (first && others.length === 0) return first;
  if (first) {
    const paths = fitting.map(({ path }) => oneLine(path)).join(", ");
    throw new CliError(exit.conflict, `Several projects are called ${wanted}.`, `Use a path: ${paths}`);
  }
  if (!/[./~]/.test(wanted)) {
    const message = `There is no project ${oneLine(wanted)}.`;
    throw new CliError(exit.notFound, message, "`drover projects` lists them; a path makes a new one.");
  }
  // Adding a project that exists answers with it.
  const path = wanted.startsWith("~") ? wanted : resolve(wanted);
  return client.post<Project>("/api/projects", { path });
}
