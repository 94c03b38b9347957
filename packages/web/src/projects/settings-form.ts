import {
  commandLines,
  err,
  ok,
  type PatchProject,
  type Project,
  type Result,
  readCommandLines,
} from "@drover/core";
import type { Problem } from "../transport/wire.ts";

/** A project's settings for its sessions, as a form shows them. */
export interface SettingsForm {
  readonly workspace: "default" | "local" | "worktree";
  /** One command per line. */
  readonly setup: string;
  readonly checks: string;
  readonly target: string;
}

export const formOf = ({ workspace, setup, checks = [], target = "" }: Project): SettingsForm => ({
  workspace: workspace ?? "default",
  setup: commandLines(setup),
  checks: commandLines(checks),
  target,
});

/** Why a field can't be saved. */
export type SettingsProblems = Partial<Record<"setup" | "checks", Problem>>;

/** What has changed: nothing else is sent, because it may have changed elsewhere meanwhile. */
export function patchOf(from: SettingsForm, to: SettingsForm): Result<PatchProject, SettingsProblems> {
  const patch: PatchProject = {};
  const problems: SettingsProblems = {};
  for (const field of ["setup", "checks"] as const) {
    if (to[field] === from[field]) continue;
    const read = readCommandLines(to[field]);
    if (read.ok) patch[field] = read.value;
    else problems[field] = needsShell(read.error);
  }
  const { workspace } = to;
  if (workspace !== from.workspace) patch.workspace = workspace === "default" ? null : workspace;
  if (to.target !== from.target) patch.target = to.target.trim() || null;
  return Object.keys(problems).length === 0 ? ok(patch) : err(problems);
}

function needsShell(rest: string): Problem {
  const [line = ""] = rest.split("\n");
  return { code: "BAD_REQUEST", message: `Only a shell understands "${line}"; use sh -c '…'` };
}

const places = { local: "In this directory", worktree: "In worktrees" };

/** What the server does unless a project says otherwise; undefined until it is known. */
export type DefaultPlace = keyof typeof places | undefined;

export const asPlace = (value: unknown): DefaultPlace =>
  value === "local" || value === "worktree" ? value : undefined;

const count = (number: number, one: string): string[] =>
  number === 0 ? [] : [`${number} ${one}${number === 1 ? "" : "s"}`];

/** The settings in a few words. */
export const summaryOf = (
  { workspace, setup, checks = [], target }: Project,
  byDefault: DefaultPlace,
): string[] => [
  workspace ? places[workspace] : byDefault ? `${places[byDefault]}, by default` : "Server's default",
  ...count(setup.length, "setup command"),
  ...count(checks.length, "check"),
  ...(target === undefined ? [] : [`merge into ${target}`]),
];
