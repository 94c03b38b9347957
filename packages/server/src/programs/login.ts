import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Preset } from "@drover/core";
import type { InspectedAgent } from "../service.ts";

/**
 * Whether an agent is logged in, as far as that shows without reading a secret or asking its vendor: `env` is the
 * environment its process would get.
 */
export async function loginOf(
  { login }: Preset,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InspectedAgent["login"]> {
  if (login === undefined) return "unknown";
  if (login === "none" || login.env?.some((name) => env[name])) return "ok";
  const files = (login.files ?? []).flatMap((file) => expand(file, env));
  const found = await Promise.all(files.map(exists));
  if (found.includes(true)) return "ok";
  // Elsewhere logins are kept in a key chain.
  return login.certain && process.platform === "linux" ? "missing" : "unknown";
}

function expand(file: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const [, variable = "HOME", path = ""] = /^(?:~|\$(\w+))\/(.*)$/.exec(file) ?? [];
  const directory = env[variable];
  return directory ? [join(directory, path)] : [];
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
