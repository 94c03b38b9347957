import { sessionSchema, spawnWorkerSchema } from "@drover/core";
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
];
