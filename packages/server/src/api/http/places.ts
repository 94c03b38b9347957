import type { Socket } from "node:net";

/** How many unauthenticated connections are served even if authenticated ones take every place. */
const spare = 64;

/**
 * Assigns the available places for connections. A connection is a stranger until it has carried an authenticated
 * request. Strangers get the free places: if there are none, the oldest stranger makes room for the next, so that
 * half-open and slow connections lock no one out. Authenticated connections are never closed for others.
 */
export class Places {
  private readonly limit: number;
  /** In order of arrival. */
  private readonly strangers = new Set<Socket>();
  private readonly trusted = new Set<Socket>();

  constructor(limit: number) {
    this.limit = limit;
  }

  take(socket: Socket): void {
    this.strangers.add(socket);
    socket.once("close", () => {
      this.strangers.delete(socket);
      this.trusted.delete(socket);
    });
    if (this.strangers.size <= Math.max(this.limit - this.trusted.size, spare)) return;
    const [oldest] = this.strangers;
    if (oldest) this.evict(oldest);
  }

  /**
   * It carried an authenticated request. False if there is no place left for it. Half of the places are for people: a
   * session's process, which has the token, must not lock out the person who would stop it.
   */
  async trust(socket: Socket, isPerson: () => Promise<boolean>): Promise<boolean> {
    if (this.trusted.has(socket)) return true;
    if (this.trusted.size >= this.limit / 2 && !(await isPerson())) return false;
    if (this.trusted.size >= this.limit) return false;
    if (this.strangers.delete(socket)) this.trusted.add(socket);
    return true;
  }

  /** Closes the connections that nothing has come over. Browsers and HTTP clients open some ahead of need. */
  closeUnused(): void {
    for (const socket of this.strangers) if (socket.bytesRead === 0) socket.destroy();
  }

  closeAll(): void {
    for (const socket of [...this.strangers, ...this.trusted]) socket.destroy();
  }

  private evict(socket: Socket): void {
    // Immediately: closing takes a moment, and more may arrive in the meantime.
    this.strangers.delete(socket);
    socket.destroy();
  }
}
