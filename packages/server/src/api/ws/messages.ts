import { ok } from "@drover/core";
import { z } from "zod";
import { idField } from "../../operations/entries/fields.ts";
import type { Operation } from "../../operations/operation.ts";
import { message, type SocketMessage } from "./message.ts";
import { messageOf } from "./operations.ts";

export type SocketMessages = Readonly<Record<string, SocketMessage>>;

/** Everything a socket can request: the operations, and what only a socket has. Any other type is rejected. */
export const messagesFor = (table: readonly Operation[]): SocketMessages => ({
  ...following,
  ...Object.fromEntries(
    table.flatMap((operation) => {
      const { socket } = operation;
      return socket ? [[socket.type, messageOf(operation, socket)]] : [];
    }),
  ),
});

/** What a socket follows belongs to it, and ends with it. */
const following: SocketMessages = {
  "session:open": message({
    admission: "anyone",
    summary: "Follow a session: its history, then everything after it",
    schema: z.strictObject({
      sessionId: idField,
      after: z.number().int().min(0).optional(),
      view: z.enum(["events", "items"]).default("events"),
    }),
    always: true,
    inOrder: true,
    handle: async ({ sessionId, after, view }, peer) => {
      const opening = await peer.prepare({ sessionId, after, view });
      if (!opening.ok) return opening;
      return ok({ frame: opening.value.history, afterwards: () => peer.follow(opening.value) });
    },
  }),
  "session:close": message({
    admission: "anyone",
    summary: "Stop following a session",
    schema: z.strictObject({ sessionId: idField }),
    always: true,
    inOrder: true,
    handle: async ({ sessionId }, peer, { deps }) => {
      // By its id it can be closed even if it no longer exists.
      if (peer.unfollow(sessionId)) return ok({ frame: { type: "ok", sessionId } });
      const located = await deps.service.sessions.locate(sessionId);
      if (!located.ok) return located;
      peer.unfollow(located.value.id);
      return ok({ frame: { type: "ok", sessionId: located.value.id } });
    },
  }),
};
