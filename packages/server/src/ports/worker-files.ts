import type { InputFile, ProposalFile, Rejection, Result, Signal, WorkerMode } from "@drover/core";
import type { WorkspacePlace } from "./workspace.ts";

/** What a worker finds before a run. */
export interface WorkerInput {
  readonly manifest: string;
  readonly files: readonly InputFile[];
  /** Where earlier output goes: no run may mistake it for its own. */
  readonly archive: string;
  /** The worker is only reminded of its signal: its other output stays. */
  readonly keepsOutput: boolean;
}

/** A signal, or why there is none: `problem` is a sentence for people and for the worker. */
export type FoundSignal =
  | { readonly isFound: true; readonly signal: Signal }
  | { readonly isFound: false; readonly problem: string };

export interface WorkerCommitOrder {
  readonly sessionId: string;
  readonly run: number;
  /** The first line of the commit's message. */
  readonly subject: string;
  /** The last commit that was reported, if any. */
  readonly since: string | undefined;
}

export interface WorkerCommits {
  readonly head: string;
  readonly count: number;
  readonly byDrover: boolean;
}

/** The proposals that a run has left. */
export interface FoundProposals {
  readonly files: readonly ProposalFile[];
  /** What Drover did not read, relative to the worker's directory, and why in a sentence. */
  readonly ignored: readonly { readonly file: string; readonly problem: string }[];
}

/** The files that Drover and a worker exchange, and the worker's commits. */
export interface WorkerFiles {
  /** Writes the input of a run, and moves away what an earlier one left. Rejects with a Fault. */
  prepare(cwd: string, input: WorkerInput): Promise<void>;
  /** The signal in the directory, or else the fenced one in what the agent said. One that is half written gets time. */
  readSignal(place: WorkspacePlace, said: () => Promise<string>): Promise<FoundSignal>;
  /** What the worker wrote about its work. */
  readSummary(cwd: string): Promise<string | undefined>;
  /** What a worker of this mode proposes. */
  readProposals(cwd: string, mode: WorkerMode): Promise<FoundProposals>;
  /** Commits what the worker has not committed. No hook runs. */
  commit(place: WorkspacePlace, order: WorkerCommitOrder): Promise<Result<WorkerCommits, Rejection>>;
}
