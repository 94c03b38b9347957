import { accountOperations } from "./entries/accounts.ts";
import { agentOperations } from "./entries/agents.ts";
import { changeOperations } from "./entries/changes.ts";
import { interactionOperations } from "./entries/interactions.ts";
import { pathOperations } from "./entries/paths.ts";
import { projectOperations } from "./entries/projects.ts";
import { reviewOperations } from "./entries/reviews.ts";
import { serverOperations } from "./entries/server.ts";
import { sessionOperations } from "./entries/sessions.ts";
import { turnOperations } from "./entries/turns.ts";
import { workerOperations } from "./entries/workers.ts";
import { workspaceOperations } from "./entries/workspaces.ts";
import type { Operation } from "./operation.ts";

/** Everything Drover can be asked to do, except what only one transport has: logins, streams, files. */
export const operations: readonly Operation[] = [
  ...sessionOperations,
  ...turnOperations,
  ...changeOperations,
  ...reviewOperations,
  ...interactionOperations,
  ...agentOperations,
  ...accountOperations,
  ...projectOperations,
  ...workerOperations,
  ...workspaceOperations,
  ...pathOperations,
  ...serverOperations,
];
