/** Whether it is known that an agent can resume: an ACP agent says so itself, but only once it is connected. */
export const isResumeKnown = ({
  driver,
  verified,
  agentSessionId,
}: {
  readonly driver?: string | undefined;
  readonly verified?: string | undefined;
  readonly agentSessionId?: string | undefined;
}): boolean => driver !== "acp" || verified !== undefined || agentSessionId !== undefined;
