/** A measured number, with the floor of the same run. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** The theoretical minimum, or a peer, measured in the same run and unit. */
  readonly floor?: { readonly what: string; readonly value: number };
  /** As text, as in RESULTS.md. */
  readonly target?: string;
}

export type Unit = "events/s" | "ms" | "µs" | "MB" | "";

/** A condition that must hold on any machine, busy or not. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was observed instead. */
  readonly seen?: string;
}

export interface Outcome {
  readonly figures: readonly Figure[];
  readonly checks: readonly Check[];
}

export interface RunOptions {
  /** Tiny sizes: only checks whether anything is lost, not speed. */
  readonly smoke: boolean;
  /** The directory for the servers' CPU profiles; without it they are not profiled. */
  readonly profile?: string;
  /** Reports progress to the person who runs the bench. */
  readonly progress: (text: string) => void;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  run(options: RunOptions): Promise<Outcome>;
}
