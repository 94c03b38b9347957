import type { Route } from "../http/route.ts";
import { agentRoutes, projectRoutes } from "./agents.ts";
import { interactionRoutes } from "./interactions.ts";
import { laterRoutes } from "./later.ts";
import { loginRoutes } from "./login.ts";
import { messageRoutes } from "./messages.ts";
import { pageRoutes } from "./pages.ts";
import { serverRoutes } from "./server.ts";
import { sessionRoutes } from "./sessions.ts";
import { workspaceRoutes } from "./workspace.ts";

/** Everything HTTP offers. There is no other way in: the router knows these and nothing else. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...messageRoutes,
  ...workspaceRoutes,
  ...interactionRoutes,
  ...agentRoutes,
  ...projectRoutes,
  ...loginRoutes,
  ...serverRoutes,
  ...laterRoutes,
  ...pageRoutes,
];
