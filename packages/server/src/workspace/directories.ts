import { mkdir } from "node:fs/promises";
import type { Rejection, Result } from "@drover/core";
import { resolveInBoundary } from "./boundary.ts";
import { isHomeOrAbove, repositoryTop } from "./repository-top.ts";

export interface Directories {
  resolvePath(path: string, field: string): Promise<Result<string, Rejection>>;
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

/** What the engine asks about directories. */
export function directories({ home, roots, tour }: Given): Directories {
  return {
    async resolvePath(path, field) {
      if (path === tour) await mkdir(tour, { mode: 0o700 }).catch(() => undefined);
      return resolveInBoundary(path, [...roots(), tour], field);
    },
    repositoryTop: (directory) => repositoryTop(directory, { home, roots: roots(), standalone: tour }),
    isHomeOrAbove: (directory) => isHomeOrAbove(directory, home),
  };
}
