import { ok } from "@drover/core";
import type { Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { notFound } from "../not-found.ts";
import { locateSession } from "../reading/locate.ts";
import { spawnWorker } from "../workers/spawn.ts";

export const workersService = (context: EngineContext): Service["workers"] => ({
  spawn: (input, caller) => spawnWorker(context, input, caller),

  async proposals(idOrName) {
    const located = await locateSession(context, idOrName);
    if (!located.ok) return located;
    return ok({ proposals: await context.deps.store.proposals(located.value.id) });
  },

  async proposal(id) {
    const proposal = await context.deps.store.proposal(id);
    return proposal ? ok(proposal) : notFound("proposal", id);
  },

  async removeProposal(id) {
    const isRemoved = await context.deps.store.removeProposal(id);
    return isRemoved ? ok({ deleted: true as const }) : notFound("proposal", id);
  },
});
