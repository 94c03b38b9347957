import type { AgentFact } from "../facts.ts";

/**
 * Facts without request changes that are superseded by later facts of the same batch. Each change is hashed, stored and
 * sent completely, and nobody can see one that is replaced in the same commit.
 */
export function withoutSuperseded(facts: readonly AgentFact[]): readonly AgentFact[] {
  const changedLater = new Set<string>();
  const kept: AgentFact[] = [];
  for (const fact of facts.toReversed()) {
    // A new request about a call is a different request.
    if (fact.type === "approval_request") changedLater.delete(fact.toolCallId);
    if (fact.type === "approval_changed") {
      if (changedLater.has(fact.toolCallId)) continue;
      changedLater.add(fact.toolCallId);
    }
    kept.push(fact);
  }
  return kept.reverse();
}
