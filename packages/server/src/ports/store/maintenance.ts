/** What keeps a home small and safe. Implementations pass test/contract/maintenance.ts. */
export interface Maintenance {
  /** Ids deleted before this time whose log is still stored. */
  prunable(before: string): Promise<string[]>;
  prune(sessionId: string): Promise<void>;
  /** A consistent copy while serving. */
  backup(file: string): Promise<void>;
}
