import type { Item, Preset } from "@drover/core";

/** The context in which an agent would be started: where it keeps its conversations depends on it. */
export interface AgentPlace {
  readonly preset: Preset;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A conversation as the agent itself knows it, whether or not it was started by Drover. */
export interface AgentConversation {
  readonly agentSessionId: string;
  readonly title: string;
  readonly cwd: string;
  readonly updatedAt: string;
}

/** One entry of a conversation as its agent remembers it; nested ones follow the call they belong to. */
export interface PastItem extends Pick<Item, "kind" | "text" | "code" | "tool" | "parentToolCallId"> {
  readonly at?: string;
  /**
   * Where the agent can end its conversation so that this is its last entry, and every call in it has a result:
   * neighbours with the same cut stay together. Without one it cannot end here.
   */
  readonly cut?: string;
}

/** An agent's archive of earlier conversations. All methods reject with a Fault. */
export interface Conversations {
  /** Those of one directory, or all. */
  list(place: Omit<AgentPlace, "cwd"> & { readonly cwd?: string }): Promise<AgentConversation[]>;
  /** Undefined if the agent has no such conversation in this directory. */
  history(place: AgentPlace, agentSessionId: string): Promise<AgentHistory | undefined>;
  /**
   * Copies a conversation, up to a cut if one is given, and leaves it unchanged. Returns the copy's id, or undefined.
   */
  fork(
    place: AgentPlace,
    from: { readonly agentSessionId: string; readonly title: string; readonly upTo?: string },
  ): Promise<string | undefined>;
}

export interface AgentHistory {
  readonly title: string;
  readonly items: readonly PastItem[];
}
