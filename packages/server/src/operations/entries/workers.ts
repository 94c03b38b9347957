import {
  deletedSchema,
  proposalListSchema,
  proposalTextSchema,
  sessionSchema,
  spawnWorkerSchema,
} from "@drover/core";
import { operation } from "../operation.ts";

export const workerOperations = [
  operation({
    name: "workers.spawn",
    summary: "Give a task to a worker: a session in a worktree that reports how its work went",
    admission: "person",
    input: spawnWorkerSchema,
    output: sessionSchema,
    limits: { prompt: ({ prompt }) => prompt },
    idempotent: false,
    http: { method: "POST", path: "/api/workers", status: 201 },
    run: ({ workers }, input, caller) => workers.spawn(input, caller),
  }),
  operation({
    name: "workers.proposals",
    summary: "What a worker has proposed, without the texts",
    admission: "anyone",
    output: proposalListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/proposals" },
    run: ({ workers }, { sessionId }) => workers.proposals(sessionId),
  }),
  operation({
    name: "proposals.get",
    summary: "One proposal with its text",
    admission: "anyone",
    output: proposalTextSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/proposals/:proposalId" },
    run: ({ workers }, { proposalId }) => workers.proposal(proposalId),
  }),
  operation({
    name: "proposals.remove",
    summary: "Delete a proposal",
    admission: "person",
    output: deletedSchema,
    idempotent: true,
    http: { method: "DELETE", path: "/api/proposals/:proposalId" },
    run: ({ workers }, { proposalId }) => workers.removeProposal(proposalId),
  }),
];
