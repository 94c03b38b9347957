import {
  commitChangesSchema,
  committedSchema,
  discardChangesSchema,
  discardedSchema,
  revertedSchema,
  revertTurnSchema,
} from "@drover/core";
import { operation } from "../operation.ts";

/** What a session changed, and what a person can do about it. */
export const changeOperations = [
  operation({
    name: "sessions.revert",
    summary: "Put the files that a turn changed back as they were before it",
    admission: "person",
    input: revertTurnSchema,
    output: revertedSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/revert" },
    run: ({ sessions }, { sessionId, ...revert }) => sessions.revert(sessionId, revert),
  }),
  operation({
    name: "sessions.discard",
    summary: "Discard uncommitted changes to files, or one hunk of the diff",
    admission: "person",
    input: discardChangesSchema,
    output: discardedSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/discard" },
    run: ({ sessions }, { sessionId, ...discard }) => sessions.discard(sessionId, discard),
  }),
  operation({
    name: "sessions.commit",
    summary: "Commit what has changed to the branch that is checked out",
    admission: "person",
    input: commitChangesSchema,
    output: committedSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/commit" },
    run: ({ sessions }, { sessionId, ...commit }) => sessions.commit(sessionId, commit),
  }),
];
