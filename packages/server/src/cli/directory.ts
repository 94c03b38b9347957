import { resolve } from "node:path";
import type { Cli } from "./cli.ts";

/** A directory as the server gets it. A `~` that no shell has replaced, as in `--cwd=~/x`, is the server's to replace. */
export const directoryOption = ({ settings }: Cli, directory: string): string =>
  /^~(\/|$)/.test(directory) ? directory : resolve(settings.cwd, directory);
