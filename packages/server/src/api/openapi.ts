import { rejectionStatus } from "@drover/core";
import { z } from "zod";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;

const toSchema = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return json;
};

let known: { readonly routes: readonly Route[]; readonly text: string } | undefined;

/** The document, made from the same schemas that check requests; made once, when first asked for. */
export function openApi(routes: readonly Route[], version: string): string {
  if (known?.routes !== routes) known = { routes, text: JSON.stringify(document(routes, version)) };
  return known.text;
}

function document(routes: readonly Route[], version: string): Json {
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
    security: [{ token: [] }, { login: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        login: { type: "apiKey", in: "cookie", name: "drover_PORT" },
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
  return {
    summary: route.summary,
    operationId: operationId(route),
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(hasBody
      ? { requestBody: { required: true, content: { "application/json": { schema: body } } } }
      : {}),
    responses: {
      [route.status ?? 200]: success(route),
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
    ...(route.isPublic === true ? { security: [] } : {}),
  };
}

function success(route: Route): Json {
  const schema = route.response && toSchema(route.response, "output");
  const type = route.produces ?? "application/json";
  return {
    description: "Done",
    ...(route.status === 204 ? {} : { content: { [type]: schema ? { schema } : {} } }),
  };
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
