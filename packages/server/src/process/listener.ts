import { readdir, readFile, readlink } from "node:fs/promises";
import type { ProcessIdentity } from "./identity.ts";

const listening = "0A";

/**
 * Whether that process listens on the port of `url`, rather than a program that took over the port. Returns true if
 * this cannot be checked: outside Linux, and for processes of another user.
 */
export async function listensAt({ pid }: ProcessIdentity, url: string): Promise<boolean> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((table) => readFile(table, "utf8").catch(() => "")),
  );
  const directory = `/proc/${pid}/fd`;
  const descriptors = await readdir(directory).catch(() => undefined);
  if (tables[0] === "" || !descriptors) return true;
  const { port, protocol } = new URL(url);
  const wanted = new Set(socketsOn(Number(port) || (protocol === "https:" ? 443 : 80), tables));
  const links = descriptors.map((name) => readlink(`${directory}/${name}`).catch(() => ""));
  return (await Promise.all(links)).some((link) => wanted.has(link));
}

/** The sockets that listen on a port, named as in /proc/PID/fd. */
function socketsOn(port: number, tables: readonly string[]): string[] {
  return tables.flatMap((table) =>
    table
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === listening && portOf(fields[1]) === port)
      .map((fields) => `socket:[${fields[9]}]`),
  );
}

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(":")[1] ?? "", 16);
