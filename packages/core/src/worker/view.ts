import { z } from "zod";
import { permissionModes } from "../agent.ts";
import { bounds } from "../bounds.ts";
import { nameSchema } from "../name.ts";
import { accountIdSchema } from "../wire/accounts.ts";
import { workerModes } from "./mode.ts";
import { cleanText, signalSchema } from "./signal.ts";

const maxSummary = 8_000;

/** A summary is stored with its session: a longer one is cut off. */
export const clipSummary = (text: string): string => cleanText(text, maxSummary);

export const workerSignalSchema = z.object({
  ...signalSchema.shape,
  /** The attempts of the turn so far. */
  tries: z.number(),
  /** What the worker wrote about its work. */
  summary: z.string().optional(),
});

export const workerCommitsSchema = z.object({
  /** The last commit of its branch. */
  head: z.string(),
  /** The commits that its branch has gained. */
  count: z.number(),
  /** Drover made the last one, of what the worker had not committed. */
  byDrover: z.boolean(),
});

/** Chosen by the client: workers with the same batch are tries at one task. */
export const batchSchema = z
  .string()
  .regex(/^[a-z0-9_-]{1,64}$/, "a batch has 1 to 64 characters of a-z, 0-9, _ and -");

/** A worker's task and what has come of it. */
export const workerSchema = z.object({
  mode: z.enum(workerModes),
  /** The attempts of its last turn. */
  tries: z.number(),
  /** The last signal. */
  signal: signalSchema.optional(),
  /** What its last `done` handed over. */
  result: z.unknown().optional(),
  summary: z.string().optional(),
  /** What its branch has beyond its base. */
  changes: z
    .object({ commits: z.number(), files: z.number(), added: z.number(), removed: z.number() })
    .optional(),
  /** The last line that its agent has written. */
  lastLine: z.string().optional(),
  /** The proposals of its last run that left any. */
  proposals: z.object({ open: z.number(), invalid: z.number() }).optional(),
  /** The same for all workers that were given one task to try. */
  batch: batchSchema.optional(),
});
export type Worker = z.infer<typeof workerSchema>;

/** Becomes an argument of an agent's program: a text that starts like an option would be taken for one. */
const argument = (max: number) =>
  z.string().min(1).max(max).regex(/^[^-]/, "it must not start with -, like an option");

/** Part of the contract, but of a later version: rejected by name whatever their value. */
const later = z.unknown().optional();

export const spawnWorkerSchema = z.strictObject({
  agent: z.string().min(1).max(bounds.id),
  /** The task in a person's words. Its length is limited in bytes, with the answer PROMPT_TOO_LARGE. */
  prompt: z.string().min(1).max(bounds.body),
  cwd: z.string().min(1).max(bounds.path),
  mode: z.enum(workerModes).default("execute"),
  name: nameSchema.optional(),
  title: z.string().max(500).optional(),
  /** The branch, tag or commit that its branch starts from. */
  base: argument(500).optional(),
  permissionMode: z.enum(permissionModes).optional(),
  model: argument(200).optional(),
  batch: batchSchema.optional(),
  account: accountIdSchema.optional(),
  confined: later,
  taskId: later,
});
export type SpawnWorker = z.infer<typeof spawnWorkerSchema>;
