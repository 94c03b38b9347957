import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where the demo agent keeps what is its own: never in a person's project. */
export function stateDirectory(): string {
  const state = process.env["XDG_STATE_HOME"];
  const base = state && isAbsolute(state) ? state : join(homedir(), ".local", "state");
  return join(base, "drover-demo");
}
