import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";
import { MARK } from "./environment.ts";
import { type ProcessEntry, readEntries, readEnvironment } from "./process-table.ts";

/**
 * The session whose agent, or a descendant of it, holds the other end of a loopback connection. Only processes
 * that carry a session's mark, or descend from one, are looked at: the cost grows with what is live. Against a
 * process that hides both, only a confined workspace is proof.
 */
export async function sessionOfPeer(socket: Socket): Promise<string | undefined> {
  const { remotePort, localPort } = socket;
  if (remotePort === undefined || localPort === undefined) return undefined;
  const inode = await socketInode(remotePort, localPort);
  if (inode === undefined) return undefined;
  for (const [pid, sessionId] of sessionsByProcess(readEntries())) {
    if (await holds(pid, `socket:[${inode}]`)) return sessionId;
  }
  return undefined;
}

/** The kernel's number of the connection from `remotePort` to `localPort`, as the peer's end has it. */
async function socketInode(remotePort: number, localPort: number): Promise<string | undefined> {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (portOf(fields[1]) === remotePort && portOf(fields[2]) === localPort) return fields[9];
    }
  }
  return undefined;
}

export const portOf = (address: string | undefined): number =>
  Number.parseInt(address?.split(":")[1] ?? "", 16);

function sessionsByProcess(entries: readonly ProcessEntry[]): Map<number, string> {
  const sessions = new Map<number, string>();
  for (const { pid } of entries) {
    const mark = readEnvironment(pid)
      .split("\0")
      .find((variable) => variable.startsWith(`${MARK}=`));
    if (mark) sessions.set(pid, mark.slice(MARK.length + 1));
  }
  const children = Map.groupBy(entries, (entry) => entry.parent);
  // A Map hands out what is added while it is walked: descendants inherit their ancestor's session.
  for (const [pid, session] of sessions) {
    for (const child of children.get(pid) ?? [])
      if (!sessions.has(child.pid)) sessions.set(child.pid, session);
  }
  return sessions;
}

async function holds(pid: number, link: string): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  const descriptors = await readdir(directory).catch(() => []);
  for (const descriptor of descriptors) {
    if ((await readlink(`${directory}/${descriptor}`).catch(() => "")) === link) return true;
  }
  return false;
}
