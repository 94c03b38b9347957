import type { DoneReason, SessionEvent } from "../event.ts";
import type { ExpiryFollowUp, Interaction } from "../interaction.ts";
import type { Session } from "../session/view.ts";
import type { Connection } from "../supervision.ts";

/** A turn of some session has started or ended. */
export interface TurnChange {
  readonly sessionId: string;
  readonly turnId: string;
  readonly phase: "started" | "ended";
  readonly reason?: DoneReason;
}

/** An agent could not be started, or Drover gave up on it. */
export interface StartFailure {
  readonly code: string;
  readonly message: string;
  readonly sessionId: string;
  readonly cliType: string;
}

/** What the server sends over a WebSocket on its own. Clients ignore the types they do not know. */
export type SocketAnnouncement =
  | { type: "session:event"; sessionId: string; event: SessionEvent }
  | ({ type: "session:turn" } & TurnChange)
  | ({ type: "agent:status"; sessionId: string } & Connection)
  | { type: "session:archived"; sessionId: string }
  | { type: "session_upserted"; session: Session }
  | { type: "session_removed"; sessionId: string }
  | { type: "interaction_opened"; interaction: Interaction }
  | ({ type: "interaction_resolved"; interactionId: string; at: string } & Pick<
      Interaction,
      "resolution" | "by" | "reason" | "scope" | "cause"
    >)
  | {
      type: "interaction_followed_up";
      interactionId: string;
      sessionId: string;
      followUp: ExpiryFollowUp;
      by: string;
    };
