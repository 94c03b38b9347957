import type { Operation } from "../operations/operation.ts";
import type { ApiDeps, HttpLimits } from "./deps.ts";
import type { Auth } from "./gate/auth.ts";
import type { Answer } from "./http/answer.ts";
import type { Pages } from "./http/pages.ts";
import type { UnreadBytes } from "./http/unread-bytes.ts";
import type { Source } from "./stream/follow.ts";
import type { OpenStreams } from "./stream/open-streams.ts";

/** What handlers of every transport share. */
export interface ApiContext {
  readonly deps: ApiDeps;
  readonly auth: Auth;
  readonly operations: readonly Operation[];
  readonly limits: HttpLimits;
  readonly streams: OpenStreams;
  /** Bytes of answers and streams that clients have not read yet. */
  readonly unread: UnreadBytes;
  /** What happens in all sessions, as a source that streams follow. */
  readonly feed: Source;
  readonly pages: Pages;
  /** What this API offers, for programs and for people. */
  readonly description: {
    readonly openApi: () => Promise<unknown>;
    readonly page: () => Promise<Answer>;
  };
  /** The port we listen on; cookies are named after it. */
  readonly port: () => number;
  readonly url: () => string;
  /** Milliseconds since the server started. */
  readonly uptime: () => number;
}
