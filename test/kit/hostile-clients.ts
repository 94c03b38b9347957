// Four clients that do what no client should, all at once: connections that never ask, readers that never read, logins
// that are made up, bodies that are far too large.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { bearer } from "./http.ts";
import type { Target } from "./server.ts";
import { until } from "./until.ts";

export interface Attack {
  readonly target: Target;
  /** Readers that read nothing follow this session. */
  readonly sessionId: string;
  /** More than the server has places for. */
  readonly connections?: number;
  /** Connections that are opened again when the server closed them. */
  readonly perSecond?: number;
}

/** What the attackers have done so far. */
export interface Damage {
  /** Connections that are open, or about to be, and have asked for nothing. */
  halfOpen: number;
  /** Connections of that kind that the server's machine accepted. */
  opened: number;
  silentReaders: number;
  junkLogins: number;
  hugeBodies: number;
}

export interface HostileClients extends AsyncDisposable {
  readonly damage: Readonly<Damage>;
}

const tickMs = 50;

/** They go on until they are disposed. */
export function attack(order: Attack): HostileClients {
  const { target, sessionId, connections = 1_200, perSecond = 500 } = order;
  const { hostname, port, host } = new URL(target.url);
  const stop = new AbortController();
  const { signal } = stop;
  const damage: Damage = { halfOpen: 0, opened: 0, silentReaders: 0, junkLogins: 0, hugeBodies: 0 };
  const sockets = new Set<Socket>();

  const open = (): Socket => {
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };

  /** Whatever the server says, or that it closed the connection. */
  const heard = (socket: Socket, event: "data" | "readable"): Promise<void> =>
    new Promise((resolve) => socket.once(event, () => resolve()).once("close", () => resolve()));

  /** Nothing, half a head or half a body: whatever keeps a connection waiting. */
  const beginnings = [
    "",
    `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
    `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\n{`,
    `GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ];
  let begun = 0;
  const openHalf = () => {
    const socket = open();
    damage.halfOpen++;
    socket.on("connect", () => damage.opened++);
    socket.on("close", () => damage.halfOpen--);
    socket.resume();
    const beginning = beginnings[begun++ % beginnings.length];
    if (beginning) socket.write(beginning);
  };
  const keepHalfOpen = async () => {
    for (let n = 0; n < connections; n++) openHalf();
    while (!signal.aborted) {
      await pause(tickMs);
      const room = Math.min(connections - damage.halfOpen, (perSecond * tickMs) / 1_000);
      for (let n = 0; n < room && !signal.aborted; n++) openHalf();
    }
  };

  const readNothing = async () => {
    const head = `Host: ${host}\r\nAuthorization: ${bearer(target)["authorization"]}\r\n\r\n`;
    for (let n = 0; n < 20 && !signal.aborted; n++) {
      const socket = open();
      socket.write(`GET /api/sessions/${sessionId}/events?after=0 HTTP/1.1\r\n${head}`);
      await heard(socket, "readable");
      damage.silentReaders++;
    }
  };

  /** Until the server answers or closes. */
  const send = async (text: string, filler: Buffer | undefined): Promise<void> => {
    const socket = open();
    socket.write(text);
    if (filler) for (let n = 0; n < 17; n++) socket.write(filler);
    await heard(socket, "data");
    socket.destroy();
  };

  const logInWithJunk = async () => {
    for (let n = 0; !signal.aborted; n++) {
      const body = JSON.stringify(n % 2 ? { code: `junk-${n}` } : { token: `junk-${n}` });
      const head = `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nCookie: drover_${port}=junk${n}\r\n`;
      await send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, undefined);
      damage.junkLogins++;
    }
  };

  const sendHugeBodies = async () => {
    const filler = Buffer.alloc(1024 * 1024, 0x20);
    for (let n = 0; !signal.aborted; n++) {
      // Half of them have a right and say no size.
      const right = n % 2 ? `Authorization: ${bearer(target)["authorization"]}\r\n` : "";
      const size =
        n % 2 ? "Transfer-Encoding: chunked\r\n\r\n1100000" : `Content-Length: ${17 * filler.length}\r\n`;
      await send(`POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${right}${size}\r\n`, filler);
      damage.hugeBodies++;
    }
  };

  const under = [keepHalfOpen(), readNothing(), logInWithJunk(), sendHugeBodies()];
  return {
    damage,
    async [Symbol.asyncDispose]() {
      stop.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all(under);
      for (const socket of sockets) socket.destroy();
      await until(() => sockets.size === 0, { what: "their connections are closed" });
    },
  };
}
