/** Keeps a home small and safe. Implementations pass test/contract/maintenance.ts. */
export interface Maintenance {
  /** Ids deleted before this time whose log is still stored. */
  prunable(before: string): Promise<string[]>;
  prune(sessionId: string): Promise<void>;
  /**
   * Deletes receipts of HTTP intents (`http:KEY`) saved before this time. A message's receipt stays as long as its
   * session.
   */
  pruneReceipts(before: string): Promise<void>;
  /** A consistent copy while serving. */
  backup(file: string): Promise<void>;
}
