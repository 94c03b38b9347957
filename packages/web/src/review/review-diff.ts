import type { DiffSource } from "../changes/diff-source.ts";
import { sessionDiff } from "../changes/session-diff.ts";
import type { Drover } from "../state/drover.ts";

/** All work of a session beyond its base. Merges and updates change that too. */
export function reviewDiff(drover: Drover, sessionId: string): DiffSource {
  const { sessions } = drover;
  const source = sessionDiff(drover, sessionId, { against: "base" });
  const work = () => {
    const session = sessions.find(sessionId);
    return `${session?.workspace.base?.commit} ${session?.review?.work}`;
  };
  return {
    ...source,
    subscribe: (changed) => {
      let known = work();
      const undo = [
        source.subscribe(changed),
        sessions.state.subscribe(() => {
          const now = work();
          if (now === known) return;
          known = now;
          changed();
        }),
      ];
      return () => {
        for (const each of undo) each();
      };
    },
  };
}
