import type { Socket } from "node:net";
import type { SessionStateName, StartFailure, TurnChange } from "@drover/core";
import type { Operation } from "../operations/operation.ts";
import type { Performing } from "../operations/perform.ts";
import type { Logger, LoginRecords, Peer, ReceiptRecords } from "../ports.ts";

export interface ApiConfig {
  readonly server: {
    /** 0 takes a free port; `listen` returns it. */
    readonly port: number;
    readonly bind: string;
    /** Further names by which this server is reached, for example behind a TLS proxy. */
    readonly hosts: readonly string[];
  };
  readonly streams: {
    /** Milliseconds. */
    readonly heartbeat: number;
    /** Bytes a live client may leave unread before it is cut off. */
    readonly clientBuffer: number;
  };
}

/** Milliseconds and counts; the defaults are the contract, shorter ones are for tests. */
export interface HttpLimits {
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly keepAliveMs: number;
  readonly connections: number;
  /** How long a client may read nothing of its answer. */
  readonly stallMs: number;
  /** How many unread bytes may wait for clients, over all connections. */
  readonly unreadBytes: number;
}

export const defaultLimits: HttpLimits = {
  headersMs: 10_000,
  bodyMs: 60_000,
  keepAliveMs: 5_000,
  connections: 1_000,
  stallMs: 60_000,
  unreadBytes: 128 * 1024 * 1024,
};

export interface Statistics {
  readonly sessions: Readonly<Partial<Record<SessionStateName, number>>>;
  readonly appendedEvents: number;
}

/** Everything the API uses from outside; app.ts assembles it from adapters. */
export interface ApiDeps extends Performing {
  /** The operations to offer; all of them if absent. */
  readonly operations?: readonly Operation[];
  /** The install's secret, and where logins are stored. */
  readonly auth: { readonly token: string } & LoginRecords;
  readonly receipts: ReceiptRecords;
  readonly config: ApiConfig;
  readonly version: string;
  readonly logger: Logger;
  /** The built page: `index.html`, `login.html`, `assets/`. It may be missing. */
  readonly webDirectory: string;
  /** The process at the other end of a connection; the same for as long as it lasts. */
  readonly peerOf: (socket: Socket) => Promise<Peer>;
  /** Turns of all sessions as they start and end, published after the commit. */
  readonly onTurn: (listener: (change: TurnChange) => void) => Disposable;
  /** Agents that could not be started, or that Drover gave up on. */
  readonly onStartFailure: (listener: (failure: StartFailure) => void) => Disposable;
  /** Figures for /metrics that only the engine knows; must be cheap. */
  readonly statistics?: () => Statistics;
  readonly limits?: Partial<HttpLimits>;
  /** Milliseconds on a clock that never jumps; tests advance it. */
  readonly clock?: () => number;
  /** Milliseconds since the epoch, for what outlives the server; tests advance it. */
  readonly now?: () => number;
}
