/** What execvp uses if there is no PATH. */
const defaultPath = "/usr/bin:/bin";

/**
 * A PATH without its relative entries. They would name programs in a process's working directory, which is an agent's
 * repository; an empty entry is that directory itself. Never empty, because a process without a PATH chooses its own.
 */
export function searchPath(path: string | undefined): string {
  const directories = path?.split(":").filter((directory) => directory.startsWith("/")) ?? [];
  return directories.join(":") || defaultPath;
}
