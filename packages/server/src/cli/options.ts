/** Options of every command that talks to a server. */
export interface ServerOptions {
  readonly server?: string;
  readonly json?: boolean;
}
