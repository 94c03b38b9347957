export interface GitConfig {
  /** `init.defaultBranch`, when it is set. */
  readonly defaultBranch: string | undefined;
  /** The names of all filter drivers: programs that git runs on the content of files. */
  readonly filters: readonly string[];
}

/** What `parseConfig` reads. git exits with 1 when none of the keys is set. */
export const CONFIG_ARGS = ["config", "-z", "--get-regexp", "^(filter\\..*|init\\.defaultbranch)$"] as const;

const FILTER_KEY = /^filter\.(?<name>.*)\.[^.]*$/s;

/** Reads the output of `CONFIG_ARGS`: `key`, newline, value for each, or the key alone where `=` is missing. */
export function parseConfig(output: string): GitConfig {
  const entries = output
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry): [string, string] => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    });
  const names = entries.flatMap(([key]) => FILTER_KEY.exec(key)?.groups?.["name"] ?? []);
  // Of several values the last one holds; an empty one sets nothing.
  const defaultBranch = entries.findLast(([key]) => key === "init.defaultbranch")?.[1];
  return { defaultBranch: defaultBranch || undefined, filters: [...new Set(names)] };
}

/**
 * The options that keep git from running `filters`: a repository brings its own in `.git/config`, and `git status`
 * runs them on every file whose times do not match the index. Filters a person installed are no exception, for they
 * too read the repository's settings. The price: a file that only its filter would find unchanged counts as modified.
 *
 * Throws for a name that holds `=`, which `-c` would cut in two, leaving the filter on.
 */
export function withoutFilters(filters: readonly string[]): string[] {
  return filters.flatMap((name) => {
    if (name.includes("=")) throw new Error("A filter's name holds an equals sign");
    return ["clean=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]);
  });
}
