import type { ChangedFile } from "@drover/core";
import { localWorkspace } from "../../src/ports.ts";
import { comparison, type WorkspaceDeps } from "../../src/workspace/comparison.ts";
import { environment, scratch } from "../context/support.ts";

export const deps: WorkspaceDeps = {
  ...{ gitTimeoutMs: 20_000, worktreeTimeoutMs: 20_000, environment },
  get scratch() {
    return scratch();
  },
};

/** A session's place in this directory. */
export const placeAt = (cwd: string) => ({ cwd, workspace: localWorkspace(cwd) });

export async function changesIn(path: string, changed: Partial<WorkspaceDeps> = {}) {
  const found = await comparison({ ...deps, ...changed }).changes(placeAt(path));
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

/** One line per file: `STATUS PATH +ADDED -REMOVED`, with its old name and whether it is binary. */
export async function filesIn(path: string): Promise<string[]> {
  return (await changesIn(path)).files.map(asLine);
}

const asLine = ({ status, path, from, added, removed, binary, staged }: ChangedFile): string =>
  `${status} ${path}${from ? ` (was ${from})` : ""} +${added} -${removed}${binary ? " binary" : ""}${staged ? " staged" : ""}`;

export async function diffOf(
  path: string,
  file?: string,
  changed: Partial<WorkspaceDeps> = {},
): Promise<string> {
  const diff = await comparison({ ...deps, ...changed }).diff(placeAt(path), file);
  if (!diff.ok) throw new Error(`${diff.error.code}: ${diff.error.message}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of diff.value) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Why a diff is refused. */
export async function refusalOf(path: string, file?: string, changed: Partial<WorkspaceDeps> = {}) {
  const diff = await comparison({ ...deps, ...changed }).diff(placeAt(path), file);
  if (diff.ok) throw new Error("The diff was not refused");
  return { code: diff.error.code, ...diff.error.facts };
}
