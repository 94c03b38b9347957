import { join } from "node:path";
import { type Connection, type DecisionContext, workerPaths } from "@drover/core";
import type { SessionRow } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";
import { isGateDue } from "../gate/gated.ts";
import { hashOf, newId } from "../ids.ts";
import { capabilitiesOf } from "./view.ts";

/** The current external state that decisions about a session depend on. */
export function decisionContext(deps: EngineDeps, row: SessionRow, { status }: Connection): DecisionContext {
  const { amend, denyReason, steer } = capabilitiesOf(deps, row.about);
  const { worker } = row.about;
  const { queueMax, interactionTimeoutMs } = deps.settings;
  return {
    now: new Date().toISOString(),
    newId,
    hash: hashOf,
    session: {
      id: row.id,
      name: row.name,
      agent: row.about.agent,
      cwd: row.cwd,
      title: row.about.title,
      permissionMode: row.about.permissionMode,
      grants: row.about.grants,
      mustWait: status === "reconnecting" || row.runtime.stopping,
      isGateDue: isGateDue(row),
      isStopping: row.runtime.stopping,
      denyReasonReachesAgent: denyReason,
      canAmend: amend,
      canSteer: steer,
      ...(worker
        ? { worker: { mode: worker.mode, outputDirectory: join(row.cwd, workerPaths.output) } }
        : {}),
    },
    queueMax,
    interactionTimeoutMs,
  };
}
