// What the engine is given for sessions outside a repository.
import type { EngineDeps } from "../../src/engine/deps.ts";
import type { Checkpoints } from "../../src/ports.ts";

export const unused = (): never => {
  throw new Error("Not used in these tests");
};

export const noCheckpoints: Checkpoints = {
  take: async () => undefined,
  keep: async () => undefined,
  ofTurn: async () => ({}),
  first: async () => undefined,
  returnToLast: async () => undefined,
  compare: async () => [],
  ...{ diff: unused, fileLines: unused, revert: unused, discard: unused, unstage: unused },
  headAt: async () => undefined,
};

export const noUpkeep: EngineDeps["upkeep"] = {
  ...{ survey: unused, kept: unused, orphan: unused },
  ...{ retire: unused, reopen: unused, forget: unused, unlock: async () => undefined },
};
