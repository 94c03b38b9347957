/** The bytes attached to messages; kept as long as the log of their session. */
export interface Attachments {
  /** On disk when it resolves. The same bytes have the same id. */
  save(sessionId: string, bytes: Buffer): Promise<string>;
  read(sessionId: string, id: string): Promise<Buffer | undefined>;
  /** All of a session's attachments become those of another one too. */
  share(from: string, to: string): Promise<void>;
}
