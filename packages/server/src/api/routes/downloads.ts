import { bounds, changesQuerySchema, textType } from "@drover/core";
import { z } from "zod";
import { answered, route } from "../http/route.ts";
import { sendPieces } from "../stream/pieces.ts";
import { sendRawLog } from "../stream/raw-log.ts";

const logQuery = z.object({
  stream: z.enum(["stdout", "stderr"]).default("stdout"),
  run: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
});

export const downloadRoutes = [
  route({
    method: "GET",
    path: "/api/sessions/:id/log",
    admission: "anyone",
    summary: "The agent's output, byte for byte",
    query: logQuery,
    produces: "application/octet-stream",
    handle: async ({ params, query, response }, { deps, limits: { stallMs } }) => {
      const { stream, run, offset } = query;
      const which = { stream, ...(run === undefined ? {} : { run }) };
      const log = await deps.service.sessions.rawLog(params.id, which);
      if (!log.ok) return log;
      await sendRawLog(response, log.value, { offset, stallMs });
      return answered;
    },
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/attachments/:attachmentId",
    admission: "anyone",
    summary: "An image or a text file that was attached to a message",
    produces: "application/octet-stream",
    handle: async ({ params, response }, { deps, limits: { stallMs } }) => {
      const found = await deps.service.sessions.attachment(params.id, params.attachmentId);
      if (!found.ok) return found;
      const { mediaType, bytes } = found.value;
      await sendPieces(response, piecesOf(bytes), {
        type: mediaType === textType ? `${textType}; charset=utf-8` : mediaType,
        stallMs,
      });
      return answered;
    },
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/diff",
    admission: "anyone",
    summary:
      "The changes as a unified diff, including untracked files: since the last commit, of a `turn`, since the session began with `against=start`, since its branch did with `against=base`, or from the work of another session to this one's with `with`; of one file with `path`",
    query: z.object({ ...changesQuerySchema.shape, path: z.string().max(bounds.path).optional() }),
    produces: "text/x-diff",
    handle: async ({ params, query, response }, { deps, limits: { stallMs } }) => {
      const diff = await deps.service.sessions.diff(params.id, query);
      if (!diff.ok) return diff;
      await sendPieces(response, diff.value, { type: "text/x-diff; charset=utf-8", stallMs });
      return answered;
    },
  }),
];

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
