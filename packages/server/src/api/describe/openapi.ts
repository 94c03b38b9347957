import { rejectionStatus } from "@drover/core";
import { z } from "zod";
import { cookieName } from "../gate/cookies.ts";
import type { Route } from "../http/route.ts";

type Json = Record<string, unknown>;

export const toSchema = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return json;
};

export interface ApiDescription {
  readonly routes: readonly Route[];
  readonly version: string;
  /** The login cookie is named after it. */
  readonly port: number;
}

/** The document, generated from the same schemas that check requests. */
export function openApi({ routes, version, port }: ApiDescription): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes.filter(
    (each) => each.produces !== "text/html" && !each.path.startsWith("/assets"),
  )) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Drover", version, license: { name: "MIT", identifier: "MIT" } },
    security: [{ token: [] }, { login: [], key: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        login: { type: "apiKey", in: "cookie", name: cookieName(port) },
        key: { type: "apiKey", in: "header", name: "X-Drover-Key" },
      },
      schemas: { Error: errorSchema },
    },
  };
}

const errorSchema: Json = {
  type: "object",
  description: "What happened and what to do next; further keys are facts of the code",
  properties: { error: { type: "string" }, code: { enum: Object.keys(rejectionStatus) } },
  required: ["error", "code"],
};

function operation(route: Route): Json {
  const body = route.body && toSchema(route.body, "input");
  const hasBody = body && Object.keys(body).length > 0;
  const canBeEmpty = route.body?.safeParse({}).success ?? true;
  return {
    summary: route.summary,
    operationId: operationId(route),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(hasBody
      ? { requestBody: { required: !canBeEmpty, content: { "application/json": { schema: body } } } }
      : {}),
    responses: {
      ...success(route),
      ...(route.stream ? { 200: { description: "Streamed", content: { "text/event-stream": {} } } } : {}),
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
    ...(route.isPublic === true ? { security: [] } : {}),
  };
}

function success({ status = 200, isAccepted, response, produces }: Route): Json {
  if (status === 204) return { 204: { description: "Done" } };
  if (response === undefined && produces === undefined) return {};
  const type = produces ?? "application/json";
  const content = response ? { schema: toSchema(response, "output") } : {};
  const done = { [status]: { description: "Done", content: { [type]: content } } };
  return isAccepted ? { ...done, 202: { description: "Accepted", content: { [type]: content } } } : done;
}

const operationId = ({ method, path }: Route) =>
  `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+([A-Za-z]?)/g, (_, letter: string) => letter.toUpperCase())}`;

function pathParameters({ path }: Route): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** The headers of every request, of everything that can be repeated, and of this route. */
function headerParameters({ headers, repeatable }: Route): Json[] {
  const heeded = {
    "X-Client-Id": "Identifies the client in the log and to others",
    ...(repeatable ? { "Idempotency-Key": "The same key and body get the same answer" } : {}),
    ...headers,
  };
  return Object.entries(heeded).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: Route): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}
