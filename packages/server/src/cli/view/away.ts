import type { Cli } from "../cli.ts";
import { say } from "../print.ts";

/** Reports when the server goes away and comes back, because a command that waits silently looks broken. */
export const awayReporter = (cli: Cli) => (away: boolean) => {
  const seconds = Math.round(cli.settings.patienceMs / 1000);
  say(cli, away ? `Lost the server; waiting up to ${seconds} s for it to come back.` : "The server is back.");
};
