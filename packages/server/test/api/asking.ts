// Requests with the token, and a session whose agent asks for approval.
import { bearer, newSession, type RawRequest, raw, type TestApi } from "./harness.ts";

/** A request with the token. */
export const ask = (
  api: TestApi,
  path: string,
  request: Omit<RawRequest, "body"> & { json?: unknown } = {},
) => {
  const { json, headers, ...rest } = request;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return raw(api.port, path, { ...rest, ...body, headers: { ...bearer, ...headers } });
};
export const post = (api: TestApi, path: string, json: unknown) => ask(api, path, { method: "POST", json });

/** A session whose agent asks to run a command. */
export async function asking(api: TestApi): Promise<string> {
  const id = await newSession(api);
  api.service.append(id, [
    {
      ...{
        type: "approval_required",
        id: "int_1",
        sessionId: id,
        sessionName: "x",
        agent: "demo",
        kind: "approval",
      },
      ...{
        toolCallId: "c1",
        inputHash: "h",
        scopes: ["once"],
        createdAt: "2026-01-01T00:00:00.000Z",
        state: "open",
      },
    },
  ]);
  return id;
}

/** The body that approves this agent's request. */
export const approve = { toolCallId: "c1" };
/** The body that creates a session. */
export const create = { agent: "demo", cwd: "/home/me" };
