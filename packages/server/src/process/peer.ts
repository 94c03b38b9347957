import { readdirSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Peer } from "../ports.ts";
import { Families, lineOf } from "./family.ts";
import type { ProcessIdentity } from "./identity.ts";
import { marks } from "./marks.ts";
import { bootId, type ProcessEntry, readEntries } from "./process-table.ts";
import { Shared } from "./shared.ts";
import { type Ends, readTcpTable } from "./tcp-table.ts";

/** An agent's process and its session. */
export interface AgentRoot extends ProcessIdentity {
  readonly sessionId: string;
}

/** Scans that may each find new processes; a caller that needs more is evading us. */
const MAX_LOOKS = 5;
/** Other processes whose sockets are examined before a second scan, which costs about as much. */
const FIRST_EXAMINED = 32;
/** Reads of the kernel's table that may miss a connection. */
const MAX_READS = 3;

/** The processes of all sessions and their sockets at one moment. */
interface Look {
  readonly processes: ReadonlySet<string>;
  /** All other processes, the youngest first. */
  readonly others: readonly ProcessEntry[];
  /** The sockets of those that were examined: many connections share a look. */
  readonly examined: Map<ProcessEntry, ReadonlySet<string>>;
  /** By the kernel's number of each socket they hold. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

/**
 * Distinguishes processes of sessions from people at the other end of a connection. Only the sockets of sessions'
 * processes are examined. A process that hides both its descent and its mark counts as a person's: only a confined
 * workspace is proof against that.
 */
export class Peers {
  private readonly agents: () => Promise<readonly AgentRoot[]>;
  private readonly known = new WeakMap<Socket, Promise<Peer>>();
  private readonly looks = new Shared(() => this.lookAround());
  private readonly connections = new Shared(readTcpTable);
  /** The process that held the last connection of a person. */
  private lastClient: string | undefined;

  constructor(agents: () => Promise<readonly AgentRoot[]>) {
    this.agents = agents;
  }

  /** Determined once per connection: it cannot change hands without the cooperation of its holder. */
  of(socket: Socket): Promise<Peer> {
    let peer = this.known.get(socket);
    if (!peer) {
      peer = this.find(socket);
      this.known.set(socket, peer);
    }
    return peer;
  }

  private async find({ localAddress, localPort, remoteAddress, remotePort }: Socket): Promise<Peer> {
    if (!localAddress || !localPort || !remoteAddress || !remotePort) return "gone";
    const ends: Ends = { localAddress, localPort, remoteAddress, remotePort };
    const inode = await this.socketOf(ends);
    if (inode === "elsewhere") return "person";
    if (inode === "closed") return "gone";
    const sessions = await this.holder(inode);
    if (sessions === "evasive") return "gone";
    if (sessions) return sessions;
    // It may have been closed by a process that ended during the scan.
    return (await this.socketOf(ends)) === inode ? "person" : "gone";
  }

  /** The kernel's table changes while it is read, and a row can be missing once. */
  private async socketOf(ends: Ends): Promise<string | "closed" | "elsewhere"> {
    for (let reads = 1; ; reads++) {
      const inode = (await this.connections.run()).peerSocket(ends);
      if (inode !== "closed" || reads === MAX_READS) return inode;
    }
  }

  /**
   * The session whose process holds the socket; undefined if none does. A process that is new since the last scan may
   * have been handed the socket, so the search continues until there is none, or until another process is seen holding
   * it: an agent that builds something starts new processes all the time.
   */
  private async holder(inode: string): Promise<Peer | undefined | "evasive"> {
    let before: ReadonlySet<string> | undefined;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const look = await this.looks.run();
      const { processes, holders, others } = look;
      const [first, ...more] = holders.get(inode) ?? [];
      if (first !== undefined) return { sessions: [first, ...more] };
      if (processes.size === 0 || (before && [...processes].every((one) => before?.has(one))))
        return undefined;
      if (await this.isHeldElsewhere(inode, look, before ? others.length : FIRST_EXAMINED)) return undefined;
      before = processes;
    }
    return "evasive";
  }

  private async lookAround(): Promise<Look> {
    const agents = await this.agents();
    const entries = await readEntries();
    marks.prune(entries);
    await marks.learn(entries);
    const sessionsOf = sessionsByProcess(entries, agents);
    const holders = new Map<string, readonly string[]>();
    for (const [entry, sessions] of sessionsOf) {
      await setImmediate();
      for (const inode of socketsOf(entry.pid)) holders.set(inode, sessions);
    }
    const processes = new Set([...sessionsOf.keys()].map(keyOf));
    const others = entries
      .filter((entry) => !sessionsOf.has(entry))
      .sort((a, b) => Number(b.startTime) - Number(a.startTime));
    return { processes, holders, others, examined: new Map() };
  }

  /**
   * Whether a process of no session holds the socket. The one that held the last comes first: a browser opens several.
   * Then the youngest: people's other clients are mostly started for this request.
   */
  private async isHeldElsewhere(inode: string, { others, examined }: Look, count: number): Promise<boolean> {
    const last = others.filter((entry) => keyOf(entry) === this.lastClient);
    for (const entry of [...last, ...others.slice(0, count)]) {
      if (!examined.has(entry)) await setImmediate();
      const sockets = examined.get(entry) ?? new Set(socketsOf(entry.pid));
      examined.set(entry, sockets);
      if (!sockets.has(inode)) continue;
      this.lastClient = keyOf(entry);
      return true;
    }
    return false;
  }
}

const keyOf = ({ pid, startTime }: Pick<ProcessEntry, "pid" | "startTime">): string => `${pid} ${startTime}`;

/**
 * The sessions of every process that has any. Descent from an agent takes precedence over the mark, which a process can
 * set for its children at will.
 */
function sessionsByProcess(
  entries: readonly ProcessEntry[],
  agents: readonly AgentRoot[],
): Map<ProcessEntry, string[]> {
  const current = agents.filter((agent) => agent.bootId === bootId());
  const roots = new Map(current.map((agent) => [keyOf(agent), agent.sessionId]));
  const families = new Families(entries);
  const sessions = new Map<ProcessEntry, string[]>();
  const markOf = (entry: ProcessEntry) => marks.of(entry);
  // A session of another server that started this one owns it, and this server's agents do not belong to that session.
  const owners = new Set(lineOf(process.pid, entries).map(markOf));
  for (const sessionId of roots.values()) owners.delete(sessionId);
  const apart = new Set([process.pid]);
  for (const sessionOf of [(entry: ProcessEntry) => roots.get(keyOf(entry)), markOf]) {
    for (const [sessionId, seeds] of Map.groupBy(entries, sessionOf)) {
      if (sessionId === undefined || owners.has(sessionId)) continue;
      for (const entry of families.of(seeds, { apart })) {
        const named = sessions.get(entry) ?? [];
        if (!named.includes(sessionId)) sessions.set(entry, [...named, sessionId]);
      }
    }
  }
  return sessions;
}

/** The kernel's numbers of the sockets a process holds; none for a process that is gone or not accessible to us. */
function socketsOf(pid: number): string[] {
  const directory = `/proc/${pid}/fd`;
  return namesIn(directory).flatMap(
    (name) => /^socket:\[(\d+)\]$/.exec(linkOf(`${directory}/${name}`))?.[1] ?? [],
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
