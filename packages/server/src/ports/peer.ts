/**
 * Who holds the other end of a connection. `gone`: it came from this machine, but its process closed it before it could
 * be identified. `sessions` are those the process belongs to, the most likely first; more than one if it descends from
 * one session's agent and carries another's mark.
 */
export type Peer = "person" | "gone" | { readonly sessions: readonly [string, ...string[]] };
