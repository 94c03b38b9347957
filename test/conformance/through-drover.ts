// One turn of an agent through a Drover server that knows it only by its drover.yaml.
import { follow, ofType } from "../kit/events.ts";
import { api } from "../kit/http.ts";
import { startServer } from "../kit/server.ts";
import type { AgentEntry } from "./agents.ts";
import { deadProxy } from "./direct.ts";

export interface DroverTurn {
  name: string;
  entry: AgentEntry;
  home: string;
  cwd: string;
  proxy: string;
  prompt: string;
  decision: "approve" | "deny";
}

export interface DroverResult {
  /** How the turn ended. */
  reason: string;
  /** How many approvals were asked for. */
  asked: number;
  /** What the first of them showed to the person. */
  shown: string;
  /** How it was settled. */
  resolution: string;
  text: string;
}

export async function droverTurn(turn: DroverTurn): Promise<DroverResult> {
  await using server = await startServer({
    home: turn.home,
    config: { agents: { [turn.name]: turn.entry } },
    env: deadProxy(turn.proxy),
  });
  const { get, post } = api(server);
  const session = await post<{ id: string }>("/api/sessions", { agent: turn.name, cwd: turn.cwd });
  const path = `/api/sessions/${session.id}`;
  await using stream = follow(() => server, session.id, { after: 0 });
  await post(`${path}/messages`, { content: turn.prompt });

  const asked = await stream.until((event) => event.type === "approval_required" || event.type === "done", {
    deadline: 60_000,
    what: "the agent asks",
  });
  if (asked.type !== "approval_required")
    throw new Error(`It ended without asking: ${JSON.stringify(asked)}`);
  const interaction = await get<{ interactions: { toolCallId: string; input?: unknown }[] }>(
    `/api/interactions?sessionId=${session.id}`,
  );
  const open = interaction.interactions[0];
  if (!open) throw new Error("The approval is in the stream and not in the list.");
  await post(`${path}/${turn.decision}`, { toolCallId: open.toolCallId });

  const done = await stream.until(ofType("done"), { deadline: 60_000, what: "the turn ends" });
  return {
    reason: done.reason,
    asked: stream.events.filter(ofType("approval_required")).length,
    shown: JSON.stringify(open.input),
    resolution: stream.events.find(ofType("interaction_resolved"))?.resolution ?? "none",
    text: stream.text(),
  };
}
