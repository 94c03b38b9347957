import { Fault } from "@drover/core";
import { SpawnError } from "../process/executable.ts";

export interface Wanted {
  /** The agent's display name. */
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
}

/** Why an agent's program could not be started; any error but a `SpawnError` is returned as it is. */
export function spawnFault(error: unknown, { name, command, cwd }: Wanted): unknown {
  if (!(error instanceof SpawnError)) return error;
  switch (error.code) {
    case "MISSING_EXECUTABLE":
      return new Fault("AGENT_MISSING", `Could not start ${name}. Check that it's installed.`, {
        facts: { command },
      });
    case "MISSING_CWD":
      return new Fault(
        "WORKSPACE_MISSING",
        `${error.message}. Create it again, or start a session elsewhere.`,
        { facts: { cwd } },
      );
    default:
      return new Fault("AGENT_UNREACHABLE", `Could not start ${name}: ${error.message}`, {
        facts: { command },
      });
  }
}
