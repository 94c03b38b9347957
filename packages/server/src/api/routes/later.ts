import { reject } from "@drover/core";
import { z } from "zod";
import type { Method } from "../../operations/operation.ts";
import { type Route, route } from "../http/route.ts";

/** Part of the contract, but of a capability that this version does not have: the answer says so. */
const later = (method: Method, path: string, what: string): Route =>
  route({
    method,
    path,
    admission: method === "GET" ? "anyone" : "person",
    summary: `Not in this version: ${what}`,
    ...(method === "POST" ? { repeatable: true } : {}),
    body: z.unknown(),
    handle: () =>
      reject("UNSUPPORTED", `This version of Drover has no ${what} yet; a newer one may`, { what }),
  });

export const laterRoutes = [
  later("POST", "/api/proposals/:proposalId/accept", "plans"),
  later("POST", "/api/proposals/:proposalId/reject", "plans"),
  later("POST", "/api/proposals/:proposalId/revert", "plans"),
  later("GET", "/trpc/:procedure", "tRPC"),
  later("POST", "/trpc/:procedure", "tRPC"),
  later("GET", "/mcp", "MCP"),
  later("POST", "/mcp", "MCP"),
];
