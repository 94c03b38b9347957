import type { Cli } from "../cli.ts";
import { say } from "../print.ts";
import { readServerFile } from "./server-file.ts";

/** Said, not refused: what they share (the API, the schema of the store) is checked where it is used. */
export function tellOtherVersion(cli: Cli, theirs: string | undefined): void {
  const { version } = cli.settings;
  if (theirs === undefined || theirs === version) return;
  say(
    cli,
    `This is drover ${version} and the server is ${theirs}; \`drover down && drover serve\` brings them together.`,
  );
}

/** For commands that work beside a server and never speak with it. */
export async function tellVersionBeside(cli: Cli): Promise<void> {
  const file = await readServerFile(cli.settings.home.serverFile);
  if (file.state === "running") tellOtherVersion(cli, file.server.version);
}
