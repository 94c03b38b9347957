import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/** Both ends of a connection as one of them sees it. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/**
 * The kernel's number of the socket at the other end of a connection. `closed`: no process of this machine holds it
 * any more. `elsewhere`: the peer is on another machine, or this system has no table of connections.
 */
export async function peerSocket(ends: Ends): Promise<string | "closed" | "elsewhere"> {
  const [tcp, tcp6] = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1").catch(() => undefined)),
  );
  if (tcp === undefined && tcp6 === undefined) return "elsewhere";
  const peer = { address: kernelForm(ends.remoteAddress), port: ends.remotePort };
  const us = { address: kernelForm(ends.localAddress), port: ends.localPort };
  // Either kind of socket can have an IPv4 connection.
  const short = (address: string) => address.slice(-SHORT);
  const inode =
    inodeIn(tcp6, row(peer, us)) ??
    inodeIn(tcp, row({ ...peer, address: short(peer.address) }, { ...us, address: short(us.address) }));
  if (inode !== undefined) return inode === "0" ? "closed" : inode;
  return isOfThisMachine(ends.remoteAddress) ? "closed" : "elsewhere";
}

/** Digits of an IPv4 address in the table. */
const SHORT = 8;

interface End {
  readonly address: string;
  readonly port: number;
}

const row = (from: End, to: End): string => ` ${inRow(from)} ${inRow(to)} `;

const inRow = ({ address, port }: End): string =>
  `${address}:${port.toString(16).toUpperCase().padStart(4, "0")}`;

function inodeIn(table: string | undefined, ends: string): string | undefined {
  const at = table?.indexOf(ends) ?? -1;
  if (table === undefined || at < 0) return undefined;
  const rest = table.slice(at + ends.length, table.indexOf("\n", at));
  // State, queues, timer, retransmits, uid, timeout; then the inode.
  return rest.split(/\s+/)[6];
}

/** As /proc/net/tcp6 writes it: four words, each with its bytes in the machine's order, which is little-endian here. */
function kernelForm(address: string): string {
  const bytes = bytesOf(address);
  const words = [0, 4, 8, 12].map((at) => bytes.slice(at, at + 4).reverse());
  return words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"))
    .join("");
}

/** Sixteen bytes; of an IPv4 address its mapped form. */
function bytesOf(address: string): number[] {
  if (isIPv4(address)) return bytesOf(`::ffff:${address}`);
  const plain = address
    .replace(/%.*$/, "")
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
      const [a, b, c, d] = parts.slice(0, 4).map((part) => Number(part).toString(16).padStart(2, "0"));
      return `${a}${b}:${c}${d}`;
    });
  const [head = [], tail] = plain.split("::").map((part) => part.split(":").filter(Boolean));
  const left = tail === undefined ? [] : Array(8 - head.length - tail.length).fill("0");
  return [...head, ...left, ...(tail ?? [])].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 0xff];
  });
}

function isOfThisMachine(address: string): boolean {
  const wanted = kernelForm(address);
  const isLoopback = wanted.startsWith("0000000000000000FFFF0000") && wanted.endsWith("7F");
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return isLoopback || own.some((one) => kernelForm(one.address) === wanted);
}
