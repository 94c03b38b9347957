import { z } from "zod";
import { bounds, recordOf } from "./bounds.ts";
import { utf8Length } from "./text.ts";

const variables = recordOf(z.string().max(bounds.name), z.string().max(bounds.value), 100);

export const mcpServerSchema = z.union([
  z.strictObject({
    command: z.string().min(1).max(bounds.path),
    args: z.array(z.string().max(bounds.value)).max(200).optional(),
    env: variables.optional(),
  }),
  z.strictObject({ url: z.url().max(8_192), headers: variables.optional() }),
]);
export type McpServer = z.infer<typeof mcpServerSchema>;

/** They are sent to the agent in one message, at every start. */
const maxMcpBytes = 262_144;

export const mcpServersSchema = recordOf(z.string().min(1).max(bounds.name), mcpServerSchema, 50).refine(
  (servers) => utf8Length(JSON.stringify(servers)) <= maxMcpBytes,
  `all servers together may have ${maxMcpBytes} bytes at most`,
);
