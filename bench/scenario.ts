/** A measured number beside the floor of the same run. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** The least that would be possible, or a peer, measured in the same run in the same unit. */
  readonly floor?: { readonly what: string; readonly value: number };
  /** In words, as `Performance` has it. */
  readonly target?: string;
}

export type Unit = "events/s" | "ms" | "µs" | "MB" | "";

/** Something that must hold on any machine, busy or not. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** What was seen instead. */
  readonly seen?: string;
}

export interface Outcome {
  readonly figures: readonly Figure[];
  readonly checks: readonly Check[];
}

export interface Given {
  /** Tiny: nothing is learned of speed, only whether anything is lost. */
  readonly smoke: boolean;
  /** Where servers leave their CPU profiles; they are not profiled without. */
  readonly profile?: string;
  /** Says what is being done, for whoever waits. */
  readonly tell: (text: string) => void;
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  run(given: Given): Promise<Outcome>;
}
