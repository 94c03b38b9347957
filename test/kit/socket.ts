import { once } from "node:events";
import { WebSocket } from "ws";
import { bearer } from "./http.ts";
import type { Target } from "./server.ts";
import { type UntilOptions, until } from "./until.ts";

export interface SocketFrame {
  type: string;
  requestId?: string;
  [key: string]: unknown;
}

export interface Socket extends AsyncDisposable {
  /** Everything the server sent, oldest first. */
  readonly frames: readonly SocketFrame[];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Sends text as is, for anything that is not a frame. */
  sendText(text: string): void;
  /** Sends a frame with a fresh requestId and returns its first answer, which may be an `error`. */
  request(type: string, fields?: Record<string, unknown>): Promise<SocketFrame>;
  until(wanted: (frame: SocketFrame) => boolean, options?: UntilOptions): Promise<SocketFrame>;
  close(): Promise<void>;
}

/** Opens /ws; throws `Unexpected server response: STATUS` when the upgrade is refused. */
export async function openSocket(
  target: Target,
  headers: Record<string, string> = {},
  protocols: readonly string[] = [],
): Promise<Socket> {
  const url = new URL("/ws", target.url);
  url.protocol = "ws:";
  const ws = new WebSocket(url, [...protocols], { headers: { ...bearer(target), ...headers } });
  const frames: SocketFrame[] = [];
  ws.on("message", (data) => frames.push(JSON.parse(String(data)) as SocketFrame));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await once(ws, "open");
  // After the upgrade every failure also closes the socket, which `closed` reports.
  ws.on("error", () => {});

  const waitFor = (wanted: (frame: SocketFrame) => boolean, options?: UntilOptions) =>
    until(() => frames.find(wanted), { what: `a frame that ${wanted}`, ...options });
  let sent = 0;
  const close = async () => {
    ws.terminate();
    await closed;
  };
  return {
    frames,
    closed,
    sendText: (text) => ws.send(text),
    request: (type, fields = {}) => {
      const requestId = `r${++sent}`;
      ws.send(JSON.stringify({ type, requestId, ...fields }));
      return waitFor((frame) => frame.requestId === requestId, { what: `an answer to ${type}` });
    },
    until: waitFor,
    close,
    [Symbol.asyncDispose]: close,
  };
}
