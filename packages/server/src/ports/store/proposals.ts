import type { Proposal, ProposalText } from "@drover/core";

/**
 * What workers propose. Proposals are written with the commits of their sessions (`SessionUpdate`), and stay until their
 * session is pruned. Implementations pass test/contract/proposals.ts.
 */
export interface Proposals {
  /** Those of a session, in the order in which they were written. */
  proposals(sessionId: string): Promise<Proposal[]>;
  proposal(id: string): Promise<ProposalText | undefined>;
  /** Whether there was one. */
  removeProposal(id: string): Promise<boolean>;
}
