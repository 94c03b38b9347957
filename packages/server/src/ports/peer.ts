/**
 * Who holds the other end of a connection. `gone`: it came from this machine, but its process closed it before anyone
 * could look. `sessions` are those the process belongs to, the likeliest first; more than one when it descends from
 * one session's agent and carries another's mark.
 */
export type Peer = "person" | "gone" | { readonly sessions: readonly [string, ...string[]] };
