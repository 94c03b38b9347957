import type { AgentInfo } from "@drover/core";
import { type Drover, useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";

export const nameIn = (agents: readonly AgentInfo[] | undefined, id: string): string =>
  agents?.find(({ agent }) => agent === id)?.name ?? id;

/** An agent's name for people, for code outside of components. */
export const agentNameOf = ({ agents }: Pick<Drover, "agents">, id: string): string =>
  nameIn(agents.state.get().value?.agents, id);

/** An agent's name for people. Its id stands in until the agents are loaded, and if it was removed. */
export function useAgentName(id: string): string {
  const { agents } = useDrover();
  return useStore(agents.state, ({ value }) => nameIn(value?.agents, id));
}
