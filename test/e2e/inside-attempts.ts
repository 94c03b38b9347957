// An attempt at every operation on a session, over HTTP and over a WebSocket.
import { newLoginKey } from "../kit/login.ts";
import type { Attempt } from "./inside.ts";

/** An attempt at an operation on a session; its other effects do not matter. */
export type Make = (operation: string, sessionId: string) => Attempt;

const approval = { toolCallId: "none" };

const bodies: Readonly<Record<string, unknown>> = {
  "PATCH /api/sessions/:id": { title: "tried" },
  "POST /api/sessions/:id/messages": { content: "true" },
  "POST /api/sessions/:id/queue": { content: "true" },
  "PATCH /api/sessions/:id/queue/:messageId": { content: "true" },
  "POST /api/sessions/:id/approve": approval,
  "POST /api/sessions/:id/deny": approval,
  "POST /api/sessions/:id/submit-answers": { ...approval, answers: {} },
  "POST /api/sessions/:id/ask-again": approval,
  "POST /api/sessions/:id/dismiss": approval,
  "POST /api/sessions/:id/review": { do: "accept" },
  "POST /api/projects": { path: "/" },
  "POST /api/accounts": { agent: "demo", token: "made-up" },
  "PATCH /api/projects/:projectId": { trusted: true },
  "POST /api/workspaces/rm": { path: "/none" },
  "POST /api/workspaces/restore": { ref: "none" },
};

/** Requests over HTTP. `token` must be the right one: with a wrong one every request is refused. */
export const requestWith =
  (token: string): Make =>
  (operation, sessionId) => {
    const [method = "", path = ""] = operation.split(" ");
    const filled = path
      .replace(":id", sessionId)
      .replace(":agent", "kit")
      .replace(":messageId", `msg_${"0".repeat(26)}`)
      .replaceAll(/:\w+|\*/g, "none");
    if (method === "GET") return { method, path: filled };
    return {
      method,
      path: filled,
      body: operation === "POST /api/login" ? { token, key: newLoginKey() } : (bodies[operation] ?? {}),
    };
  };

/** Messages over a WebSocket. */
export const message: Make = (type, sessionId) => {
  const fields: Readonly<Record<string, Record<string, unknown>>> = {
    "session:send": { content: "true" },
    "session:approve": approval,
    "session:deny": approval,
    "session:answer": { ...approval, answers: {} },
  };
  if (type === "session:list" || type === "project:list") return { type, fields: {} };
  if (type === "project:add") return { type, fields: { path: "/" } };
  if (type === "project:remove") return { type, fields: { projectId: "none" } };
  return { type, fields: { sessionId, ...fields[type] } };
};
