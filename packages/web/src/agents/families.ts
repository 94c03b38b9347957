import type { AgentInfo } from "@drover/core";

/** The variants of one product: its presets differ in how Drover talks to it. */
export interface Family {
  readonly name: string;
  readonly recommended: AgentInfo;
  readonly others: readonly AgentInfo[];
}

/** The product's name: a variant adds its own in parentheses, such as `Claude Code (ACP)`. */
export const productOf = ({ name }: Pick<AgentInfo, "name">): string => name.replace(/ \([^()]*\)$/, "");

/** Agents grouped by product, in their order. The variant that carries the plain name is the recommended one. */
export function familiesOf(agents: readonly AgentInfo[]): readonly Family[] {
  return [...Map.groupBy(agents, productOf)].flatMap(([name, variants]) => {
    const recommended = variants.find((variant) => variant.name === name) ?? variants[0];
    if (!recommended) return [];
    return { name, recommended, others: variants.filter((variant) => variant !== recommended) };
  });
}

export const isInstalled = ({ recommended, others }: Family): boolean =>
  [recommended, ...others].some(({ installed }) => installed);
