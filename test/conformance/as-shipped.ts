// How long the command lines retry an unreachable model with their default settings: each gives up within the time that
// docs/agents.md states.

import { assertFailure, networkFailure } from "./failures.ts";
import type { Group } from "./groups.ts";
import { inScene, openStage, type Scene } from "./stage.ts";
import { type Subject, subjects } from "./subjects.ts";

/** Default settings, and no model. */
function atHome({ dialect: _, home, ...subject }: Subject): Subject {
  return { ...subject, ...(home ? { home: (request) => home({ ...request, keepsTrying: true }) } : {}) };
}

const givesUp = (deadline: number) => async (scene: Scene) => {
  assertFailure(await scene.session.turn("hello", { deadline, what: "it gives up" }), networkFailure);
};

/** They only wait, so they can run at once and beside the others. */
export const asShippedGroups = (installed: string): Group[] =>
  subjects.flatMap((subject) => {
    const { givesUpWithinMs } = subject.commandLine ?? {};
    if (givesUpWithinMs === undefined) return [];
    const run = async () => {
      await using stage = await openStage(atHome(subject), installed);
      await inScene(stage, givesUp(givesUpWithinMs));
    };
    const title = `${subject.name}: as shipped, it gives up on an unreachable model, and the turn ends with a network error`;
    return [{ checks: [{ title, run }], close: async () => {} }];
  });
