import type { AuthMethod, FaultDetails, KnownDetails } from "./fault-details.ts";

/** The details among a fault's facts; undefined if there are none. */
export function faultDetails(facts: FaultDetails): KnownDetails | undefined {
  const { reason, authMethods, stderrTail, command, exit, tail } = facts;
  const known: KnownDetails = {
    ...(typeof reason === "string" ? { reason } : {}),
    ...(Array.isArray(authMethods) ? { authMethods } : {}),
    ...(typeof stderrTail === "string" ? { stderrTail } : {}),
    // Without an exit, the message names the program.
    ...(typeof exit === "number" || exit === null ? { exit, command: String(command) } : {}),
    ...(typeof tail === "string" ? { tail } : {}),
  };
  return Object.keys(known).length > 0 ? known : undefined;
}

/** A failure and its reason. */
export function faultSentence(message: string, { reason }: FaultDetails): string {
  if (typeof reason !== "string" || reason === "" || message.includes(reason)) return message;
  return /[.!?]$/.test(message) ? `${message} (${reason})` : `${message}: ${reason}`;
}

/** The login methods for a person, one line each. */
export const loginLines = (methods: readonly AuthMethod[] = []): string[] =>
  methods.map(({ name, description }) => (description ? `${name}: ${description}` : name));
