/** The bytes an agent wrote, in one run or in all of them in order. */
export interface RawLog {
  /** What can be read now; the agent may be writing more. */
  readonly bytes: number;
  /** From an offset up to `bytes`. A reader may stop early. */
  read(from: number): AsyncIterable<Uint8Array>;
}

export interface RawLogs {
  /** Empty if the session never had such a run. */
  open(
    sessionId: string,
    which: { readonly stream: "stdout" | "stderr"; readonly run?: number },
  ): Promise<RawLog>;
}
