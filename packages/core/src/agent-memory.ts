/** Whether anybody knows that an agent resumes: over ACP it says so itself, but not before it is connected to. */
export const isResumeKnown = ({
  driver,
  verified,
  agentSessionId,
}: {
  readonly driver?: string | undefined;
  readonly verified?: string | undefined;
  readonly agentSessionId?: string | undefined;
}): boolean => driver !== "acp" || verified !== undefined || agentSessionId !== undefined;
