import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { EngineDeps } from "../deps.ts";
import { isWithin } from "../directory.ts";

type Places = Pick<EngineDeps, "repositoryTop" | "isHomeOrAbove" | "droverHome" | "tourDirectory">;

/**
 * Which real paths are files that a session works on: in the repository around its directory, or else in the directory.
 * Worktrees below it belong to other sessions. Hidden files of the home directory are settings of its programs, git and
 * shells among them, and Drover's home has the programs it runs.
 */
export async function ownFiles(cwd: string, places: Places): Promise<(path: string) => boolean> {
  const { isHomeOrAbove, droverHome, tourDirectory } = places;
  const root = await rootOf(cwd, places);
  const [home, drovers] = await Promise.all([real(homedir()), real(droverHome)]);
  const tour = await real(tourDirectory);
  const isAroundHome = await isHomeOrAbove(root);
  return (path) => {
    if (!isWithin(root, path) || isWithin(join(root, ".drover-worktrees"), path)) return false;
    if (isAroundHome && relative(home, path).startsWith(".")) return false;
    return !isWithin(drovers, path) || isWithin(tour, path);
  };
}

/** The repository around a directory, unless that is around the home directory too. */
async function rootOf(cwd: string, { repositoryTop, isHomeOrAbove }: Places): Promise<string> {
  const top = await repositoryTop(cwd);
  return real(top === undefined || (await isHomeOrAbove(top)) ? cwd : top);
}

const real = (path: string): Promise<string> => realpath(path).catch(() => path);
