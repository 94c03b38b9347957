import { ok } from "@drover/core";
import { z } from "zod";
import { metricsText } from "../describe/metrics.ts";
import { route } from "../http/route.ts";

export const serverRoutes = [
  route({
    method: "GET",
    path: "/api/health",
    admission: "anyone",
    summary: "Whether the server works, seconds since it started, and whether this browser is logged in",
    response: z.object({
      status: z.string(),
      version: z.string(),
      uptime: z.number(),
      loggedIn: z.literal(true).optional(),
    }),
    isPublic: true,
    handle: ({ request }, { deps, uptime, auth, port }) =>
      ok({
        status: deps.service.refusing()?.code.toLowerCase() ?? "ok",
        version: deps.version,
        uptime: Math.round(uptime()) / 1000,
        ...(auth.loginOf(request, port())?.hasKey ? { loggedIn: true } : {}),
      }),
  }),
  route({
    method: "GET",
    path: "/api/openapi.json",
    admission: "anyone",
    summary: "This API as OpenAPI 3.1",
    response: z.unknown(),
    handle: async (_call, { description }) => ok(await description.openApi()),
  }),
  route({
    method: "GET",
    path: "/docs",
    admission: "anyone",
    summary: "This API for people",
    produces: "text/html",
    handle: (_call, { description }) => description.page(),
  }),
  route({
    method: "GET",
    path: "/metrics",
    admission: "anyone",
    summary: "Figures for Prometheus",
    produces: "text/plain",
    handle: (_call, context) => ({
      status: 200,
      headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
      body: metricsText(context),
    }),
  }),
];
