import { z } from "zod";

/** What a worker may propose; each kind has a folder of its own in the output. */
export const proposalKinds = ["phase", "task", "page", "decision"] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** Where its files are, relative to the worker's output folder. */
export const proposalFolder = (kind: ProposalKind): string => `${kind}s`;

export const proposalActions = ["create", "update", "delete"] as const;

/** `superseded`: a later proposal, or a later run, has replaced it. `invalid`: `problem` says why. */
export const proposalStates = ["open", "superseded", "invalid"] as const;

/** A piece of planned work that a worker proposes, from one file of its output. */
export const proposalSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  run: z.number(),
  kind: z.enum(proposalKinds),
  action: z.enum(proposalActions),
  /** What an update or a deletion is about. */
  targetId: z.string().optional(),
  title: z.string(),
  /** The other fields of its front matter. */
  meta: z.record(z.string(), z.unknown()),
  /** Relative to the worker's output folder. */
  file: z.string(),
  /** The length of its text in bytes. */
  size: z.number(),
  state: z.enum(proposalStates),
  problem: z.string().optional(),
  createdAt: z.string(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** A single proposal comes with its text, which is Markdown; lists leave it out. */
export const proposalTextSchema = z.object({ ...proposalSchema.shape, body: z.string() });
export type ProposalText = z.infer<typeof proposalTextSchema>;

export const proposalListSchema = z.object({ proposals: z.array(proposalSchema) });
export type ProposalList = z.infer<typeof proposalListSchema>;

/** What the end of a run changes: proposals that it leaves, and open ones of earlier runs that they replace. */
export interface NewProposals {
  readonly added: readonly ProposalText[];
  /** Ids. */
  readonly superseded: readonly string[];
}

/** What a run has left, in numbers. `superseded` counts those of earlier runs, too. */
export const proposalCountsSchema = z.object({
  run: z.number(),
  open: z.number(),
  superseded: z.number(),
  invalid: z.number(),
});
