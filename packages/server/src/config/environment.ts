import { err, type Result } from "@drover/core";
import { type Assignment, assign, type ConfigError, configError, unknownKey } from "./assignment.ts";
import { settingsByPath } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with names of their own. They override the general form of the same key. */
const named = {
  DROVER_PORT: "server.port",
  DROVER_BIND: "server.bind",
  DROVER_ROOTS: "server.roots",
} as const;

/** `DROVER__SERVER__ALLOWREMOTE` → `server.allowRemote`: variables are upper case, keys are not. */
const pathsByName = new Map(
  [...settingsByPath.keys()].map((path) => [`DROVER__${path.replace(".", "__").toUpperCase()}`, path]),
);

/** `DROVER__SERVER__ALLOW_REMOTE` names the same key. */
const spelled = (name: string): string =>
  name
    .toUpperCase()
    .split("__")
    .map((part) => part.replaceAll("_", ""))
    .join("__");

/** Settings from variables; later ones win. An empty variable counts as unset. */
export function readEnvironment(env: Environment): Result<Assignment, ConfigError>[] {
  const found: Result<Assignment, ConfigError>[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith("DROVER__") || !text) continue;
    const path = pathsByName.get(spelled(name));
    const source = { kind: "environment", name } as const;
    found.push(
      path === undefined
        ? err(configError(source, unknownKey(name, pathsByName.keys())))
        : assign(path, { text }, source),
    );
  }
  for (const [name, path] of Object.entries(named)) {
    const text = env[name];
    if (text) found.push(assign(path, { text }, { kind: "environment", name }));
  }
  return found;
}
