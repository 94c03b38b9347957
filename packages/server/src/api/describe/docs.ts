import type { Answer } from "../http/answer.ts";
import { pageHeaders } from "../http/pages.ts";
import type { SocketMessages } from "../ws/messages.ts";
import { type ApiDescription, openApi, toSchema } from "./openapi.ts";

interface Operation {
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const text = (value: unknown) => String(value).replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
const json = (value: unknown) => `<pre>${text(JSON.stringify(value, null, 2))}</pre>`;

/** The API as plain HTML, without scripts and styles: the page shows it at #/docs. */
export function docsPage(description: ApiDescription, sockets: SocketMessages): Answer {
  const { version } = description;
  const { paths } = openApi(description) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      section(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  const messages = Object.entries(sockets).map(
    ([type, { summary, schema }]) =>
      `<details><summary><code>${text(type)}</code> ${text(summary)}</summary>${json(toSchema(schema, "input"))}</details>`,
  );
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drover API</title></head>
<body><main><h1>Drover API <small>${text(version)}</small></h1>
<p>Every request needs <code>Authorization: Bearer TOKEN</code>, or a browser's login with its cookie and key.
The same as data: <code>GET /api/openapi.json</code>.</p>
<h2>HTTP</h2>${operations.join("\n")}
<h2>WebSocket /ws</h2>
<p>A frame is one JSON object: <code>type</code>, a <code>requestId</code> that comes back with the answer, and these.</p>
${messages.join("\n")}</main></body></html>
`;
  return { status: 200, headers: pageHeaders, body };
}

function section(title: string, operation: Operation): string {
  const parameters = operation.parameters.map(
    (parameter) =>
      `<li><code>${text(parameter.name)}</code> (${text(parameter.in)}) ${json(parameter.schema)}</li>`,
  );
  const body = operation.requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status !== "default")
    .map(([status, { content }]) => `<li><code>${text(status)}</code> ${json(content ?? {})}</li>`);
  return `<details><summary><code>${text(title)}</code> ${text(operation.summary)}</summary>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.join("")}</ul>` : ""}
${body ? `<h3>Body</h3>${json(body)}` : ""}
<h3>Answer</h3><ul>${answers.join("")}</ul></details>`;
}
