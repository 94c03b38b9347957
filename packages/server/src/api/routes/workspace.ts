import { workspaceChangesSchema } from "@drover/core";
import { z } from "zod";
import { answered, route } from "../http/route.ts";
import { pathQuery } from "../schemas.ts";
import { sendPieces } from "../stream/pieces.ts";

export const workspaceRoutes = [
  route({
    method: "GET",
    path: "/api/sessions/:id/workspace",
    admission: "anyone",
    summary: "Where a session works and what is changed there since the last commit",
    response: workspaceChangesSchema,
    handle: ({ params }, { deps }) => deps.service.sessions.workspace(params.id),
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/diff",
    admission: "anyone",
    summary: "These changes as a unified diff, untracked files included; of one file with `path`",
    query: z.object({ path: pathQuery }),
    produces: "text/x-diff",
    handle: async ({ params, query, response }, { deps, limits: { stallMs } }) => {
      const diff = await deps.service.sessions.diff(params.id, query.path);
      if (!diff.ok) return diff;
      await sendPieces(response, diff.value, { type: "text/x-diff; charset=utf-8", stallMs });
      return answered;
    },
  }),
];
