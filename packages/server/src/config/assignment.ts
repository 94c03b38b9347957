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
  /** `server.port`; absent if the whole file is invalid. */
  readonly path?: string;
}

/** A checked value for a setting. */
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
  `unknown key "${key}"; allowed: ${[...allowed].join(", ")}`;

/** Checks one value. `input` is typed if it comes from a file, otherwise it is text to parse. */
export function assign(
  path: string,
  input: { readonly value: unknown } | { readonly text: string },
  source: Source,
): Result<Assignment, ConfigError> {
  const setting = settingsByPath.get(path);
  if (!setting) return err(configError(source, unknownKey(path, settingsByPath.keys()), path));
  const value = "text" in input ? setting.fromText(input.text) : input.value;
  const parsed = setting.schema.safeParse(value);
  if (parsed.success) return ok({ path, value: parsed.data, source });
  const expected = parsed.error.issues[0]?.message;
  const shown = JSON.stringify("text" in input ? input.text : input.value);
  return err(configError(source, `${path} must be ${expected}, not ${shown}`, path));
}
