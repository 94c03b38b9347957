import { err, ok, type Result } from "@drover/core";
import { settingsByPath } from "./settings.ts";

/** Where a value came from, for `drover config` and for errors. */
export type Source =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string; readonly line: number }
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "command line"; readonly name: string };

export interface ConfigError {
  /** Where, what is wrong and what is allowed: complete for a person. */
  readonly message: string;
  readonly source: Source;
  /** `server.port`; absent when the whole file is wrong. */
  readonly path?: string;
}

/** A value somebody gave for a setting, checked. */
export interface Assignment {
  readonly path: string;
  readonly value: unknown;
  readonly source: Source;
}

export function describeSource(source: Source): string {
  switch (source.kind) {
    case "default":
      return "default";
    case "file":
      return `${source.file}:${source.line}`;
    case "environment":
    case "command line":
      return source.name;
  }
}

export function configError(source: Source, what: string, path?: string): ConfigError {
  return { message: `${describeSource(source)}: ${what}`, source, ...(path === undefined ? {} : { path }) };
}

export const unknownKey = (key: string, allowed: Iterable<string>): string =>
  `there is no "${key}"; allowed are: ${[...allowed].join(", ")}`;

/** Checks one given value. `given` is typed when it comes from a file, otherwise the text to be read. */
export function assign(
  path: string,
  given: { readonly value: unknown } | { readonly text: string },
  source: Source,
): Result<Assignment, ConfigError> {
  const setting = settingsByPath.get(path);
  if (!setting) return err(configError(source, unknownKey(path, settingsByPath.keys()), path));
  const value = "text" in given ? setting.fromText(given.text) : given.value;
  const parsed = setting.schema.safeParse(value);
  if (parsed.success) return ok({ path, value: parsed.data, source });
  const expected = parsed.error.issues[0]?.message;
  const shown = JSON.stringify("text" in given ? given.text : given.value);
  return err(configError(source, `${path} must be ${expected}, not ${shown}`, path));
}
