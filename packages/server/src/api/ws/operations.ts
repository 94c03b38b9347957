import { ok, type Rejection, type Result } from "@drover/core";
import { z } from "zod";
import { idField } from "../../operations/entries/fields.ts";
import { isRead, type Operation, pathFields, type SocketFace } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import type { SocketMessage, SocketReply } from "./message.ts";

/** An operation over a WebSocket. */
export function messageOf(operation: Operation, face: SocketFace): SocketMessage {
  const { admission, always, summary } = operation;
  const performed = face.run
    ? { ...operation, run: face.run, output: face.output ?? operation.output }
    : operation;
  return {
    admission,
    summary: face.summary ?? summary,
    schema: face.input ?? inputOf(operation),
    ...(always || isRead(operation) ? { always: true } : {}),
    ...(isRead(operation) ? { inOrder: true } : {}),
    handle: async (input, { caller }, { deps }): Promise<Result<SocketReply, Rejection>> => {
      const result = await perform(performed, { caller, input }, deps);
      if (!result.ok) return result;
      const fields = face.frame ? face.frame(result.value, input as Record<string, unknown>) : result.value;
      return ok({ frame: { ...(fields as object), type: face.reply } });
    },
  };
}

/** The complete input: what HTTP splits into path, query and body is one object here. */
function inputOf({ input = z.strictObject({}), http }: Operation): z.ZodObject {
  const named = pathFields(http.path).map((field) => [field, idField] as const);
  return named.length === 0 ? input : input.extend(Object.fromEntries(named));
}
