type Facts = Readonly<Record<string, unknown>>;

/** The server's own log. Never throws, and never writes a registered secret. */
export interface Logger {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}
