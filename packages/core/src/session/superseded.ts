import type { AgentFact } from "../facts.ts";

/**
 * Facts without the changes of a request that later facts of the same batch change again. Each change is hashed, stored
 * and sent whole, and nobody can see one that is replaced in the same commit.
 */
export function withoutSuperseded(facts: readonly AgentFact[]): readonly AgentFact[] {
  const changedLater = new Set<string>();
  const kept: AgentFact[] = [];
  for (const fact of facts.toReversed()) {
    // What is asked anew about a call is another request.
    if (fact.type === "approval_request") changedLater.delete(fact.toolCallId);
    if (fact.type === "approval_changed") {
      if (changedLater.has(fact.toolCallId)) continue;
      changedLater.add(fact.toolCallId);
    }
    kept.push(fact);
  }
  return kept.reverse();
}
