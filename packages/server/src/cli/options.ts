/** Options of every command that speaks with a server. */
export interface ServerOptions {
  readonly server?: string;
  readonly json?: boolean;
}
