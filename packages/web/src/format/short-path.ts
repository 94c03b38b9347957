/** A path relative to a directory if it is inside; otherwise unchanged. */
export function shortPath(path: string, directory: string | undefined): string {
  const base = directory?.endsWith("/") ? directory : `${directory}/`;
  return directory !== undefined && path.startsWith(base) ? path.slice(base.length) : path;
}
