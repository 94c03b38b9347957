import type { Operation } from "../../operations/operation.ts";
import type { Route } from "../http/route.ts";
import { downloadRoutes } from "./downloads.ts";
import { laterRoutes } from "./later.ts";
import { loginRoutes } from "./login.ts";
import { routeOf } from "./operations.ts";
import { pageRoutes } from "./pages.ts";
import { serverRoutes } from "./server.ts";
import { streamRoutes } from "./streams.ts";

/** Everything HTTP offers: the operations, and what only HTTP has. The router knows these and nothing else. */
export const routesFor = (table: readonly Operation[]): readonly Route[] => [
  ...table.map(routeOf),
  ...streamRoutes,
  ...downloadRoutes,
  ...loginRoutes,
  ...serverRoutes,
  ...laterRoutes,
  ...pageRoutes,
];
