/** What a worker is asked to do. */
export const workerModes = ["execute"] as const;
export type WorkerMode = (typeof workerModes)[number];

/** Part of the contract, but of a later version. */
export const laterWorkerModes = ["discuss", "plan", "detail", "refine"] as const;

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
