import { Fault } from "@drover/core";
import type { Driver } from "../../ports.ts";
import type { SessionLog } from "../session/log.ts";

/** How long a process of this session's agent lives. */
export function lifetimeOf(log: SessionLog): ReturnType<Driver["lifetime"]> {
  const { preset, driver } = configured(log);
  return (preset && driver?.lifetime(preset)) ?? "session";
}

/** The session's agent and its driver. Throws a Fault if it is no longer configured. */
export function programOf(log: SessionLog) {
  const { agent, preset, driver } = configured(log);
  if (!preset || !driver) {
    throw new Fault(
      "AGENT_MISSING",
      `The agent ${agent} is no longer configured; add it to drover.yaml again.`,
    );
  }
  return { preset, driver };
}

function configured({ deps, journal }: SessionLog) {
  const { agent, driver } = journal.row.about;
  return { agent, preset: deps.presets.get(agent), driver: deps.drivers[driver] };
}
