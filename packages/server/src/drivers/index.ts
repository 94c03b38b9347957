import type { DriverName } from "@drover/core";
import type { Driver } from "../ports.ts";
import { acpDriver } from "./acp/index.ts";
import { claudeDriver } from "./claude/index.ts";
import { ClaudePrintMapper } from "./claude/map-print.ts";
import { jsonlDriver } from "./jsonl/index.ts";
import { textDriver } from "./text/index.ts";

export interface DriversDeps {
  /** Drover's own version, sent to agents. */
  readonly version: string;
  /** The programs installed by `drover agents add`. */
  readonly agents: string;
  /** The directory of our own programs. */
  readonly programs: string;
  /** Called with the unknown kinds of messages an agent sent, and their counts. */
  readonly onUnknown: (agent: string, counts: Readonly<Record<string, number>>) => void;
}

/** All drivers; a new one is one line here. */
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
      // Lives with the agent's other driver: both read the same messages.
      mappers: { "claude-print": (preset) => new ClaudePrintMapper(preset) },
      onUnknown,
    }),
    text: textDriver(),
  };
}
