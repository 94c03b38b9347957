import type { Cli } from "../cli.ts";
import { CliError, exit } from "../exit.ts";
import { readServerFile } from "./server-file.ts";

/** A store opened by a newer program is migrated: never under an older server that is using it. */
export async function refuseOtherVersion(cli: Cli): Promise<void> {
  const { home, version } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state !== "running" || file.server.version === version) return;
  throw new CliError(
    exit.conflict,
    `This is drover ${version} and the server on this home is ${file.server.version}.`,
    `Use the same version, or end the server first: drover down`,
  );
}
