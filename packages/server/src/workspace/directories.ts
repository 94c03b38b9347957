import { mkdir } from "node:fs/promises";
import type { Rejection, Result } from "@drover/core";
import { resolveInBoundary } from "./boundary.ts";
import { isHomeOrAbove, repositoryTop } from "./repository-top.ts";
import { subdirectories } from "./subdirectories.ts";

/** Expands `~` and `~/x` as people type them, because no shell does it here. */
export const expandHome = (path: string, home: string): string => path.replace(/^~(?=\/|$)/, () => home);

export interface Directories {
  resolvePath(path: string, field: string): Promise<Result<string, Rejection>>;
  /** Directories that match the start of a path, in the form in which it was typed. */
  subdirectories(typed: string, limit: number): Promise<readonly string[]>;
  repositoryTop(directory: string): Promise<string | undefined>;
  isHomeOrAbove(directory: string): Promise<boolean>;
}

interface Given {
  /** The user's home directory. */
  readonly home: string;
  /** Where sessions may work, as configured now. */
  readonly roots: () => readonly string[];
  /** The tour's own directory. Sessions may work there even if no root contains it. */
  readonly tour: string;
}

/** What the engine needs to know about directories. */
export function directories({ home, roots, tour }: Given): Directories {
  return {
    async resolvePath(path, field) {
      const full = expandHome(path, home);
      if (full === tour) await mkdir(tour, { mode: 0o700 }).catch(() => undefined);
      return resolveInBoundary(full, [...roots(), tour], field);
    },
    async subdirectories(typed, limit) {
      const path = expandHome(typed === "~" ? "~/" : typed, home);
      const found = await subdirectories({ path, limit }, roots());
      const isShort = typed.startsWith("~");
      return found.map((each) =>
        isShort && each.startsWith(`${home}/`) ? `~${each.slice(home.length)}` : each,
      );
    },
    repositoryTop: (directory) => repositoryTop(directory, { home, roots: roots(), standalone: tour }),
    isHomeOrAbove: (directory) => isHomeOrAbove(directory, home),
  };
}
