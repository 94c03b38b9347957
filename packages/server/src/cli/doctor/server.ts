import type { Finding } from "@drover/core";
import { broken, fine, note } from "../../doctor/finding.ts";
import type { Cli } from "../cli.ts";
import { readText, send } from "../server/http.ts";
import { readServerFile } from "../server/server-file.ts";

/** Checks whether a server is running on this home and answers. */
export async function checkServer(cli: Cli): Promise<Finding> {
  const { home, version } = cli.settings;
  const file = await readServerFile(home.serverFile);
  if (file.state === "none") return note("server", "Not running", "`drover serve` starts it.");
  if (file.state === "unreadable") return broken("server", file.why, `Remove ${home.serverFile}.`);
  const { pid, url, version: theirs } = file.server;
  if (file.state === "stale") {
    const what = `The server (pid ${pid}) crashed or was killed; agents keep running`;
    return note("server", what, "`drover serve` starts it again and reconnects to them.");
  }
  const answers = await isHealthy(url);
  if (!answers) {
    const remedy = `See ${home.serverLog}, then run \`drover down\` and \`drover serve\`.`;
    return broken("server", `Process ${pid} is running but does not answer at ${url}`, remedy);
  }
  if (theirs !== version) {
    const remedy = "`drover down && drover serve` updates it; agents keep running.";
    return note("server", `${url} (pid ${pid}) is version ${theirs}, this is ${version}`, remedy);
  }
  return fine("server", `${url} (pid ${pid})`);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await send(
      { url },
      { method: "GET", path: "/api/health", signal: AbortSignal.timeout(3_000) },
    );
    return response.statusCode === 200 && (await readText(response)).includes('"ok"');
  } catch {
    return false;
  }
}
