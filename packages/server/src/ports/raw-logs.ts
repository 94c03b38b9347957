/** The bytes an agent wrote, of one run or of all of them one after the other. */
export interface RawLog {
  /** What can be read now; the agent may be writing more. */
  readonly bytes: number;
  /** From an offset up to `bytes`. A reader may stop early. */
  read(from: number): AsyncIterable<Uint8Array>;
}

export interface RawLogs {
  /** Empty when the session never had such a run. */
  open(
    sessionId: string,
    which: { readonly stream: "stdout" | "stderr"; readonly run?: number },
  ): Promise<RawLog>;
}
