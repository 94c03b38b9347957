import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import type { Peer } from "../../src/ports.ts";
import { identify } from "../../src/process/identity.ts";
import { type AgentRoot, Peers } from "../../src/process/peer.ts";
import { bystander, uniqueMark } from "./support.ts";

interface Listener extends AsyncDisposable {
  readonly port: number;
  /** The server's ends of the connections so far. */
  readonly sockets: Socket[];
  /** The next connection's peer. */
  next(): Promise<Peer>;
}

/** A server that identifies its peers. */
async function listen(host: string, agents: AgentRoot[] = []): Promise<Listener> {
  const peers = new Peers(async () => agents);
  const waiting: ((peer: Peer) => void)[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    void peers.of(socket).then((peer) => waiting.shift()?.(peer));
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const dial = (host: string, port: number) =>
  `require("node:net").connect({ host: "${host}", port: ${port} }); setInterval(() => {}, 1 << 30);`;

/** A program that holds a connection, optionally started through another command. */
function caller(before: string[], code: string, mark?: string): ChildProcess & AsyncDisposable {
  const [command = process.execPath, ...args] = [...before, process.execPath, "-e", code];
  const env = { PATH: process.env["PATH"], ...(mark ? { DROVER_SESSION: mark } : {}) };
  const child = spawn(command, args, { env, detached: true, stdio: "ignore" });
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await once(child, "exit");
    },
  });
}

test.for<[string, string, string]>([
  ["IPv4", "127.0.0.1", "127.0.0.1"],
  ["another IPv4 loopback address", "127.0.0.2", "127.0.0.2"],
  ["IPv6", "::1", "::1"],
  ["IPv4 on a dual-stack server", "::", "127.0.0.1"],
  ["IPv4 by its IPv6 form", "::", "::ffff:127.0.0.1"],
  ["an IPv6 socket to an IPv4 server", "127.0.0.1", "::ffff:127.0.0.1"],
])("H7 a session's process is recognized over %s", async ([, bind, host]) => {
  await using server = await listen(bind);
  const mark = uniqueMark();
  const peer = server.next();
  await using _child = caller([], dial(host, server.port), mark);
  expect(await peer).toEqual({ sessions: [mark] });
});

test("H7 a person is recognized as one while sessions' processes are running", async () => {
  await using _agent = await bystander();
  await using server = await listen("127.0.0.1");
  await using _other = caller([], "setInterval(() => {}, 1 << 30)", uniqueMark());
  const peer = server.next();
  const socket = connect(server.port, "127.0.0.1");
  expect(await peer).toBe("person");
  socket.destroy();
});

test("H7 a person is recognized as one while an agent keeps starting processes", async () => {
  await using server = await listen("127.0.0.1");
  const busy = "for (;;) require('node:child_process').execFileSync('true')";
  await using _agent = caller([], busy, uniqueMark());
  for (let n = 0; n < 20; n++) {
    const peer = server.next();
    const socket = connect(server.port, "127.0.0.1");
    expect(await peer).toBe("person");
    socket.destroy();
  }
});

test("H7 two connections with the same ports have different peers", async () => {
  await using one = await listen("127.0.0.1");
  const mark = uniqueMark();
  const first = one.next();
  await using _child = caller([], dial("127.0.0.1", one.port), mark);
  await first;
  const [agents] = one.sockets;
  if (!agents?.remotePort) throw new Error("No connection");
  const twin = createServer().listen({ host: "127.0.0.2", port: one.port });
  await once(twin, "listening");
  const accepted = once(twin, "connection") as Promise<[Socket]>;
  const ports = { port: one.port, localPort: agents.remotePort };
  const socket = connect({ host: "127.0.0.2", localAddress: "127.0.0.2", ...ports });
  const [persons] = await accepted;
  const peers = new Peers(async () => []);
  expect(await Promise.all([agents, persons].map((end) => peers.of(end)))).toEqual([
    { sessions: [mark] },
    "person",
  ]);
  socket.destroy();
  persons.destroy();
  twin.close();
});

test("H7 a descendant of an agent belongs to its session without a mark, or with another session's mark", async () => {
  const agents: AgentRoot[] = [];
  await using server = await listen("127.0.0.1", agents);
  const forged = uniqueMark();
  for (const [env, sessions] of [
    [["-i"], ["ses_of_the_agent"]],
    [[`DROVER_SESSION=${forged}`], ["ses_of_the_agent", forged]],
  ] as const) {
    const peer = server.next();
    // The agent is the shell; the trailing `true` keeps it from being replaced by its command.
    const shell = ["sh", "-c", 'env "$0" "$@"; true', ...env];
    await using child = caller(shell, dial("127.0.0.1", server.port));
    const identity = identify(child.pid ?? 0);
    if (!identity) throw new Error("The agent did not start");
    agents.push({ ...identity, sessionId: "ses_of_the_agent" });
    expect(await peer).toEqual({ sessions });
  }
});

test("H7 a process that drops its mark after it was seen still belongs to its session", async () => {
  await using server = await listen("127.0.0.1");
  const mark = uniqueMark();
  const before = server.next();
  // Connects, and on the first byte replaces itself with a program without the mark, which connects again.
  const code = `exec 3<>/dev/tcp/127.0.0.1/${server.port}; read -N 1 <&3; exec 3>&-
    exec env -i bash -c 'exec 3<>/dev/tcp/127.0.0.1/${server.port}; sleep 1000'`;
  const child = spawn("bash", ["-c", code], {
    env: { PATH: process.env["PATH"], DROVER_SESSION: mark },
    detached: true,
    stdio: "ignore",
  });
  expect(await before).toEqual({ sessions: [mark] });
  const after = server.next();
  server.sockets[0]?.write("x");
  expect(await after).toEqual({ sessions: [mark] });
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
});

test("H7 a peer that exited before it was identified is unknown", async () => {
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer({ allowHalfOpen: true }, accepted.resolve).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const code = `const s = require("node:net").connect(${port}, "127.0.0.1", () => s.write("x", () => process.exit()))`;
  await using child = caller([], code, uniqueMark());
  const socket = await accepted.promise;
  await once(child, "exit");
  expect(await new Peers(async () => []).of(socket)).toBe("gone");
  socket.destroy();
  server.close();
});
