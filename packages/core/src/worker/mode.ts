import type { ProposalKind } from "./proposal.ts";

/** What a worker is asked to do. */
export const workerModes = ["execute", "discuss", "plan", "detail", "refine"] as const;
export type WorkerMode = (typeof workerModes)[number];

interface ModeRules {
  /** It works on the files of its worktree, and Drover commits them. Otherwise it reads them, and writes only output. */
  readonly changesFiles: boolean;
  /** The planned work it may be given, in words. */
  readonly takes: readonly string[];
  /** The proposals it may leave. */
  readonly brings: readonly ProposalKind[];
  /** It is done only if it leaves at least one of these. */
  readonly needs?: ProposalKind;
}

/** What each mode may do, what it takes and what it brings. */
export const modeRules: Readonly<Record<WorkerMode, ModeRules>> = {
  execute: { changesFiles: true, takes: ["a task", "its phase", "its initiative", "pages"], brings: [] },
  discuss: { changesFiles: false, takes: ["an initiative", "its pages"], brings: ["decision"] },
  plan: { changesFiles: false, takes: ["an initiative"], brings: ["phase"], needs: "phase" },
  detail: { changesFiles: false, takes: ["a phase"], brings: ["task"], needs: "task" },
  refine: { changesFiles: false, takes: ["pages"], brings: ["page"] },
};

/** A worker, as far as its permissions depend on it. */
export interface WorkerPlace {
  readonly mode: WorkerMode;
  /** Where it writes its results. */
  readonly outputDirectory: string;
}

/** Where a worker and Drover exchange files, relative to the directory that the worker runs in. */
export const workerPaths = {
  folder: ".drover",
  input: ".drover/input",
  manifest: ".drover/input/manifest.json",
  output: ".drover/output",
  signal: ".drover/output/signal.json",
  summary: ".drover/output/SUMMARY.md",
} as const;

export interface InputFile {
  /** Relative to the input folder. */
  readonly path: string;
  readonly kind: string;
  readonly content: string;
}

interface Manifested {
  readonly sessionId: string;
  readonly name: string;
  readonly mode: WorkerMode;
  readonly run: number;
  readonly files: readonly InputFile[];
}

/** The content of `manifest.json`: what a worker finds in its input folder. */
export const manifestText = ({ files, ...about }: Manifested): string =>
  `${JSON.stringify(
    {
      version: 1,
      ...about,
      files: files.map(({ path, kind }) => ({ path: `${workerPaths.input}/${path}`, kind })),
      contextFiles: [],
      signal: workerPaths.signal,
    },
    null,
    2,
  )}\n`;
