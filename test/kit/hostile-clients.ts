// Four kinds of misbehaving clients at once: connections that send no request, readers that never read, invalid logins,
// and oversized bodies.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { bearer } from "./http.ts";
import type { Target } from "./server.ts";
import { until } from "./until.ts";

export interface Attack {
  readonly target: Target;
  /** The session that the silent readers follow. */
  readonly sessionId: string;
  /** More than the server accepts. */
  readonly connections?: number;
  /** How many connections are reopened after the server closed them. */
  readonly perSecond?: number;
  /** Between two logins, and between two bodies. Without it, they come as fast as the server answers. */
  readonly pauseMs?: number;
}

/** What the attackers have done so far. */
export interface Damage {
  /** Connections that are open, or opening, without a complete request. */
  halfOpen: number;
  /** How many of those the server's machine accepted. */
  opened: number;
  silentReaders: number;
  junkLogins: number;
  hugeBodies: number;
}

export interface HostileClients extends AsyncDisposable {
  readonly damage: Readonly<Damage>;
}

const tickMs = 50;

/** Attacks until disposed. */
export function attack(options: Attack): HostileClients {
  const { target, sessionId, connections = 1_200, perSecond = 500, pauseMs = 0 } = options;
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

  /** Resolves when the server sends something or closes the connection. */
  const responded = (socket: Socket, event: "data" | "readable"): Promise<void> =>
    new Promise((resolve) => socket.once(event, () => resolve()).once("close", () => resolve()));

  /** Nothing, half a head or half a body: whatever keeps a connection waiting. */
  const beginnings = [
    "",
    `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
    `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\n{`,
    `GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ];
  let openedCount = 0;
  const openHalf = () => {
    const socket = open();
    damage.halfOpen++;
    socket.on("connect", () => damage.opened++);
    socket.on("close", () => damage.halfOpen--);
    socket.resume();
    const beginning = beginnings[openedCount++ % beginnings.length];
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
      await responded(socket, "readable");
      damage.silentReaders++;
    }
  };

  /** Resolves when the server answers or closes. */
  const send = async (text: string, filler: Buffer | undefined): Promise<void> => {
    const socket = open();
    socket.write(text);
    if (filler) for (let n = 0; n < 17; n++) socket.write(filler);
    await responded(socket, "data");
    socket.destroy();
  };

  const logInWithJunk = async () => {
    for (let n = 0; !signal.aborted; n++) {
      if (pauseMs > 0) await pause(pauseMs);
      const body = JSON.stringify(n % 2 ? { code: `junk-${n}` } : { token: `junk-${n}` });
      const head = `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nCookie: drover_${port}=junk${n}\r\n`;
      await send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, undefined);
      damage.junkLogins++;
    }
  };

  const sendHugeBodies = async () => {
    const filler = Buffer.alloc(1024 * 1024, 0x20);
    for (let n = 0; !signal.aborted; n++) {
      if (pauseMs > 0) await pause(pauseMs);
      // Half of them are authorized and declare no size.
      const authorization = n % 2 ? `Authorization: ${bearer(target)["authorization"]}\r\n` : "";
      const size =
        n % 2 ? "Transfer-Encoding: chunked\r\n\r\n1100000" : `Content-Length: ${17 * filler.length}\r\n`;
      await send(`POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\n${authorization}${size}\r\n`, filler);
      damage.hugeBodies++;
    }
  };

  const attacks = [keepHalfOpen(), readNothing(), logInWithJunk(), sendHugeBodies()];
  return {
    damage,
    async [Symbol.asyncDispose]() {
      stop.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all(attacks);
      for (const socket of sockets) socket.destroy();
      await until(() => sockets.size === 0, { what: "their connections are closed" });
    },
  };
}
