import type {
  Capabilities,
  Connection,
  Interaction,
  Item,
  Lack,
  PermissionMode,
  QueuedMessage,
  Resolution,
  Session,
  SessionEvent,
} from "@drover/core";

/** Why something was not done, in words for a person. `code` is the server's, or one of the page's own two. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** With `ALREADY_RESOLVED`: what was decided, by whom and when. */
  readonly resolution?: Resolution;
  readonly by?: string;
  readonly at?: string;
}

/** No answer came. Whether the request was carried out is not known. */
export const offline: Problem = {
  code: "OFFLINE",
  message: "The connection to Drover was lost before it answered. Try again once it is back.",
};

/** The answer to `session:open`. With a cursor, `entries` is empty and the events after it follow. */
export interface History {
  readonly sessionId: string;
  readonly session: Session;
  readonly entries: readonly Item[];
  /** Where older items begin, when there are some. */
  readonly before?: number;
  readonly cursor: number;
  /** The cursor asked for is none of this log's: `entries` is whole. */
  readonly reset?: boolean;
  readonly interactions: readonly Interaction[];
  readonly queue: { readonly paused: boolean; readonly messages: readonly QueuedMessage[] };
}

export interface ModelOffer {
  readonly id: string;
  readonly name: string;
}

export interface AgentInfo {
  readonly agent: string;
  readonly name: string;
  readonly driver: string;
  readonly command: string;
  readonly installed: boolean;
  readonly version?: string;
  readonly login: "ok" | "missing" | "unknown";
  /** What the server installs from npm when it is told to; absent where it cannot. */
  readonly package?: { readonly name: string; readonly version: string };
  /** What makes it ready when it is not; commands stand between backticks. */
  readonly remedy?: string;
  readonly capabilities: Capabilities;
  /** The permission modes its sessions may have. */
  readonly modes: readonly PermissionMode[];
  /** What its sessions cannot be given. */
  readonly lacks: readonly Lack[];
  /** The models it offers; absent while it has not told. */
  readonly models?: readonly ModelOffer[];
}

export interface Project {
  readonly id: string;
  readonly path: string;
  readonly name: string;
}

/** What the server says without being asked. Other types are ignored: a newer server may have more to say. */
export type Announcement =
  | { type: "session:event"; sessionId: string; event: SessionEvent }
  | { type: "session:turn"; sessionId: string; turnId: string; phase: "started" | "ended"; reason?: string }
  | ({ type: "agent:status"; sessionId: string } & Connection)
  | { type: "session:archived"; sessionId: string }
  | { type: "session_upserted"; session: Session }
  | { type: "session_removed"; sessionId: string }
  | { type: "interaction_opened"; interaction: Interaction }
  | ({ type: "interaction_resolved"; interactionId: string; at: string } & Pick<
      Interaction,
      "resolution" | "by" | "reason" | "scope" | "cause"
    >);
