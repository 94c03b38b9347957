// How long the command lines try a model that is not there, where nobody told them how often: each gives up by itself,
// within the time that docs/agents.md tells people.
import type { Group } from "./behaviours.ts";
import { failedSo, unconnected } from "./failures.ts";
import { inScene, openStage, type Scene } from "./stage.ts";
import { type Subject, subjects } from "./subjects.ts";

/** With a home as people have it, and no model. */
function atHome({ dialect: _, home, ...subject }: Subject): Subject {
  return { ...subject, ...(home ? { home: (request) => home({ ...request, keepsTrying: true }) } : {}) };
}

const givesUp = (deadline: number) => async (scene: Scene) => {
  failedSo(await scene.session.turn("hello", { deadline, what: "it gives up" }), unconnected);
};

/** All they do is wait: they may run at once, and beside the others. */
export const asShippedGroups = (installed: string): Group[] =>
  subjects.flatMap((subject) => {
    const { givesUpWithinMs } = subject.commandLine ?? {};
    if (givesUpWithinMs === undefined) return [];
    const run = async () => {
      await using stage = await openStage(atHome(subject), installed);
      await inScene(stage, givesUp(givesUpWithinMs));
    };
    const title = `${subject.name}: as shipped, a model that is not there is given up on, and told as such`;
    return [{ checks: [{ title, run }], close: async () => {} }];
  });
