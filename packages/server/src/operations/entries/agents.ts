import { agentInfoSchema, agentListSchema, conversationListSchema, ok } from "@drover/core";
import { z } from "zod";
import { operation } from "../operation.ts";
import { pathField } from "./fields.ts";

/** How many of an agent's processes are being reconnected. */
export const reconnectSchema = z.object({ reconnecting: z.number() });

export const agentOperations = [
  operation({
    name: "agents.list",
    summary: "Agents that can be run, and the state of each",
    admission: "anyone",
    output: agentListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/agents" },
    run: async ({ agents }) => ok({ agents: await agents.list() }),
  }),
  operation({
    name: "agents.conversations",
    summary: "An agent's conversations, from Drover and outside; create a session with an id to continue one",
    admission: "anyone",
    input: z.strictObject({ cwd: pathField }),
    output: conversationListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/agents/:agent/conversations" },
    run: ({ agents }, { agent, cwd }) => agents.conversations(agent, { cwd }),
  }),
  operation({
    name: "agents.add",
    summary: "Install an agent's program from npm; answers when it is installed",
    admission: "person",
    output: agentInfoSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/agents/:agent/add" },
    run: ({ agents }, { agent }) => agents.add(agent),
  }),
  operation({
    name: "agents.reconnect",
    summary: "Reconnect every disconnected process of an agent",
    admission: "person",
    output: reconnectSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/agents/:agent/reconnect", status: 202 },
    run: ({ agents }, { agent }) => agents.reconnect(agent),
  }),
];
