import { readFile } from "node:fs/promises";
import type { ServerFile, StartOptions } from "../../lifecycle.ts";
import { isAlive } from "../../process/identity.ts";

/** `running` describes a live server, `stale` one that died without removing its file. */
export type ServerFileState =
  | { readonly state: "running" | "stale"; readonly server: ServerFile }
  | { readonly state: "none" }
  | { readonly state: "unreadable"; readonly why: string };

export async function readServerFile(path: string): Promise<ServerFileState> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return missing ? { state: "none" } : { state: "unreadable", why: String(error) };
  }
  const server = parse(text);
  if (!server) return { state: "unreadable", why: `${path} does not describe a server` };
  return { state: isAlive(server) ? "running" : "stale", server };
}

/** The command line options of `drover serve` that stand for these. */
export const serveArguments = ({ port, config, stopAgents }: StartOptions): string[] => [
  ...(port === undefined ? [] : ["--port", String(port)]),
  ...(config === undefined ? [] : ["--config", config]),
  ...(stopAgents ? ["--stop-agents"] : []),
];

function parse(text: string): ServerFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, url, version, startedAt, options } = value as Record<string, unknown>;
  const texts = [startTime, bootId, url, version, startedAt];
  if (!Number.isInteger(pid) || !texts.every((text) => typeof text === "string")) return undefined;
  return { ...(value as ServerFile), options: parseOptions(options) };
}

/** Servers of older versions wrote no options. */
function parseOptions(value: unknown): StartOptions {
  if (typeof value !== "object" || value === null) return {};
  const { port, config, stopAgents } = value as Record<string, unknown>;
  return {
    ...(Number.isInteger(port) ? { port: port as number } : {}),
    ...(typeof config === "string" ? { config } : {}),
    ...(stopAgents === true ? { stopAgents } : {}),
  };
}
