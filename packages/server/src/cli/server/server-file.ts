import { readFile } from "node:fs/promises";
import type { ServerFile } from "../../lifecycle.ts";
import { isAlive } from "../../process/identity.ts";

/** `running` names a living server; `stale` one that died without taking its file along. */
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

function parse(text: string): ServerFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, startTime, bootId, url, version, startedAt } = value as Record<string, unknown>;
  const texts = [startTime, bootId, url, version, startedAt];
  if (!Number.isInteger(pid) || !texts.every((text) => typeof text === "string")) return undefined;
  return value as ServerFile;
}
