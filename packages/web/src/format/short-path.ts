/** A path below a directory, as seen from there; any other path as it is. */
export function shortPath(path: string, directory: string | undefined): string {
  const base = directory?.endsWith("/") ? directory : `${directory}/`;
  return directory !== undefined && path.startsWith(base) ? path.slice(base.length) : path;
}
