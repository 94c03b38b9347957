import type { Cli } from "../cli.ts";
import { say } from "../print.ts";
import { readServerFile } from "./server-file.ts";

const warned = new WeakSet<Cli>();

/** Only a warning, once per command: the API and the store's schema are checked where they are used. */
export function warnOtherVersion(cli: Cli, theirs: string | undefined): void {
  const { version } = cli.settings;
  if (theirs === undefined || theirs === version || warned.has(cli)) return;
  warned.add(cli);
  say(
    cli,
    `This is drover ${version}, but the server is ${theirs}; \`drover down && drover serve\` updates it.`,
  );
}

/** For commands that use the home directly. */
export async function warnVersionBeside(cli: Cli): Promise<void> {
  const file = await readServerFile(cli.settings.home.serverFile);
  if (file.state === "running") warnOtherVersion(cli, file.server.version);
}
