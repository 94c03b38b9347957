import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/** Both ends of a connection as seen from one of them. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** The connections of this machine, keyed by their two ends in the kernel's notation. */
export interface TcpTable {
  /**
   * The kernel's number of the socket at the other end of a connection. `closed`: no process of this machine holds it.
   * `elsewhere`: the peer is on another machine, or this system has no table of connections.
   */
  peerSocket(ends: Ends): string | "closed" | "elsewhere";
}

export async function readTcpTable(): Promise<TcpTable> {
  const [tcp, tcp6] = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1").catch(() => undefined)),
  );
  const inodes = new Map([...rowsOf(tcp), ...rowsOf(tcp6)]);
  return {
    peerSocket({ localAddress, localPort, remoteAddress, remotePort }) {
      if (tcp === undefined && tcp6 === undefined) return "elsewhere";
      const peer = { address: kernelForm(remoteAddress), port: remotePort };
      const us = { address: kernelForm(localAddress), port: localPort };
      const short = ({ address, port }: End): End => ({ address: address.slice(-SHORT), port });
      // Both kinds of sockets can have an IPv4 connection.
      const inode = inodes.get(row(peer, us)) ?? inodes.get(row(short(peer), short(us)));
      if (inode !== undefined) return inode === "0" ? "closed" : inode;
      return isOfThisMachine(remoteAddress) ? "closed" : "elsewhere";
    },
  };
}

/** Digits of an IPv4 address in the table. */
const SHORT = 8;

interface End {
  readonly address: string;
  readonly port: number;
}

const row = (from: End, to: End): string => `${inRow(from)} ${inRow(to)}`;

const inRow = ({ address, port }: End): string =>
  `${address}:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/** Number, both ends, state, queues, timer, retransmits, uid, timeout, inode. */
function rowsOf(table = ""): [string, string][] {
  return table
    .split("\n")
    .slice(1, -1)
    .map((line) => {
      const fields = line.trim().split(/\s+/);
      return [`${fields[1]} ${fields[2]}`, fields[9] ?? "0"];
    });
}

/** In the notation of /proc/net/tcp6: four words, each in the machine's byte order, which is little-endian here. */
function kernelForm(address: string): string {
  const bytes = bytesOf(address);
  const words = [0, 4, 8, 12].map((at) => bytes.slice(at, at + 4).reverse());
  return words
    .flat()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"))
    .join("");
}

/** Sixteen bytes; for an IPv4 address its mapped form. */
function bytesOf(address: string): number[] {
  if (isIPv4(address)) return bytesOf(`::ffff:${address}`);
  const plain = address
    .replace(/%.*$/, "")
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
      const [a, b, c, d] = parts.slice(0, 4).map((part) => Number(part).toString(16).padStart(2, "0"));
      return `${a}${b}:${c}${d}`;
    });
  const [head = [], tail] = plain.split("::").map((part) => part.split(":").filter(Boolean));
  const missing = tail === undefined ? [] : Array(8 - head.length - tail.length).fill("0");
  return [...head, ...missing, ...(tail ?? [])].flatMap((word) => {
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
