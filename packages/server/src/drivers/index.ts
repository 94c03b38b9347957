import type { DriverName } from "@drover/core";
import type { Driver } from "../ports.ts";
import { acpDriver } from "./acp/index.ts";
import { claudeDriver } from "./claude/index.ts";
import { ClaudePrintMapper } from "./claude/map-print.ts";
import { jsonlDriver } from "./jsonl/index.ts";
import { textDriver } from "./text/index.ts";

export interface DriversDeps {
  /** Drover's own, told to agents. */
  readonly version: string;
  /** What `drover agents add` installed. */
  readonly agents: string;
  /** The directory that holds programs of our own. */
  readonly programs: string;
  /** Told of kinds of messages that nobody here has heard of, and how many of each an agent sent. */
  readonly onUnknown: (agent: string, counts: Readonly<Record<string, number>>) => void;
}

/** Every driver there is: a new one is a line here. */
export function createDrivers(deps: DriversDeps): Readonly<Record<DriverName, Driver>> {
  const { version, agents, programs, onUnknown } = deps;
  return {
    acp: acpDriver({ version }),
    claude: claudeDriver({
      sdkDirectories: [agents, programs],
      programs,
      onUnknown: (counts) => onUnknown("claude", counts),
    }),
    jsonl: jsonlDriver({
      // Lives with the agent's other driver: both hear the same.
      mappers: { "claude-print": (preset) => new ClaudePrintMapper(preset) },
      onUnknown,
    }),
    text: textDriver(),
  };
}
