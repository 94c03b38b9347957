import { readFileSync } from "node:fs";
import { clientEnvironment } from "./config.ts";

/** DROVER_VERSION, else the package's version, else `development`. */
export function findVersion(packageFile = new URL("../package.json", import.meta.url)): string {
  return clientEnvironment().version ?? packageVersion(packageFile) ?? "development";
}

function packageVersion(file: URL): string | undefined {
  try {
    const { version }: { version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

export const version = findVersion();
