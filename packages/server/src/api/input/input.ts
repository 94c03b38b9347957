import type { IncomingMessage } from "node:http";
import {
  hasForbiddenCharacter,
  idSchema,
  nameSchema,
  ok,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import { z } from "zod";
import { decodeText } from "../http/body.ts";
import type { Route } from "../http/route.ts";
import { forbiddenCharacter, parseJson } from "./json.ts";
import { validate } from "./validate.ts";

/** Keys of bodies and queries that hold file paths: a NUL in them gets the same answer as from the boundary. */
export const pathKeys: readonly string[] = ["cwd", "path", "instructionFile"];

/** Every path parameter: what it names, its form, and where to list the existing ones. */
const parameters = {
  id: { what: "session", schema: z.union([idSchema("session"), nameSchema]), list: "GET /api/sessions" },
  messageId: {
    what: "message",
    schema: idSchema("message"),
    list: "GET /api/sessions/:id/queue",
  },
  attachmentId: {
    what: "attachment",
    schema: z.string().regex(/^[0-9a-f]{64}$/),
    list: "GET /api/sessions/:id/messages",
  },
  projectId: { what: "project", schema: idSchema("project"), list: "GET /api/projects" },
  accountId: { what: "account", schema: idSchema("account"), list: "GET /api/accounts" },
  proposalId: {
    what: "proposal",
    schema: z.string().regex(/^[\w-]{1,100}$/),
    list: "GET /api/sessions/:id/proposals",
  },
  loginId: { what: "login", schema: idSchema("login"), list: "GET /api/logins" },
  agent: { what: "agent", schema: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/), list: "GET /api/agents" },
  procedure: {
    what: "procedure",
    schema: z.string().regex(/^[\w.,-]{1,200}$/),
    list: "GET /api/openapi.json",
  },
  file: { what: "file", schema: z.string().regex(/^[\w.-]{1,200}$/), list: "GET /" },
} as const;

type Params = Readonly<Record<string, string>>;

/** A value that does not look like an id gets the same answer as an unknown id. */
export function checkParams(raw: Params): Result<Params, Rejection> {
  const params: Record<string, string> = {};
  for (const [name, encoded] of Object.entries(raw)) {
    const value = decodeParam(encoded);
    if (value === undefined || hasForbiddenCharacter(value)) return forbiddenCharacter(name, value ?? "", []);
    const { what, schema, list } = parameters[name as keyof typeof parameters];
    if (!schema.safeParse(value).success) {
      return reject("NOT_FOUND", `There is no ${what} "${value}"; see ${list}`, { what });
    }
    params[name] = value;
  }
  return ok(params);
}

function decodeParam(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** A key without a value counts as omitted; unknown keys are ignored. */
export function parseQuery(
  route: Route,
  request: IncomingMessage,
): Result<Record<string, unknown>, Rejection> {
  if (!route.query) return ok({});
  const search = new URLSearchParams((request.url ?? "").split("?").slice(1).join("?"));
  const values: Record<string, string> = {};
  for (const [key, value] of search) {
    if (value === "" || Object.hasOwn(values, key)) continue;
    if (hasForbiddenCharacter(value)) return forbiddenCharacter(key, value, pathKeys);
    if (Object.hasOwn(route.query.shape, key)) values[key] = value;
  }
  return validate(route.query, values);
}

const noBody = z.strictObject({});

/** An empty body counts as an empty object. */
export function parseBody(route: Route, bytes: Uint8Array): Result<unknown, Rejection> {
  if (route.method === "GET") return ok({});
  const text = decodeText(bytes);
  if (!text.ok) return text;
  const value = text.value.trim() === "" ? ok({}) : parseJson(text.value, pathKeys);
  return value.ok ? validate(route.body ?? noBody, value.value) : value;
}
