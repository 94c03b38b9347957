import { tempDir } from "../../test/kit/temp.ts";
import { builtCommand, ensureBuilt, sourceCommand } from "../kit/built.ts";
import { bareStart, type ColdStart, coldStart } from "../kit/cold-start.ts";
import { median } from "../kit/stats.ts";
import type { Figure, Scenario } from "../scenario.ts";

export const b9: Scenario = {
  id: "B9",
  title: "cold start on an empty home, to health and to the demo agent's first output",
  async run({ smoke, progress }) {
    const rounds = smoke ? 1 : 15;
    progress("building the package");
    await ensureBuilt();
    await using compiled = await tempDir("compiled-");
    const start = (command: string) => coldStart(command, compiled.path);
    const built: ColdStart[] = [];
    const source: ColdStart[] = [];
    const bare: number[] = [];
    // The first start of each fills Node's compile cache and is not counted.
    for (let round = smoke ? 1 : 0; round <= rounds; round++) {
      progress(`start ${round} of ${rounds}`);
      const starts = [await start(builtCommand), await start(sourceCommand)] as const;
      const node = await bareStart();
      if (round === 0) continue;
      built.push(starts[0]);
      source.push(starts[1]);
      bare.push(node);
    }
    const floor = { what: "bare node", value: median(bare) };
    const figures = (name: string, starts: readonly ColdStart[], targets: readonly string[]): Figure[] => [
      {
        what: `${name}: to health`,
        value: median(starts.map(({ healthMs }) => healthMs)),
        unit: "ms",
        floor,
        ...(targets[0] ? { target: targets[0] } : {}),
      },
      {
        what: `${name}: to the demo agent's first output`,
        value: median(starts.map(({ healthMs, firstWordMs }) => healthMs + firstWordMs)),
        unit: "ms",
        floor,
        ...(targets[1] ? { target: targets[1] } : {}),
      },
    ];
    return {
      figures: [...figures("built", built, ["< 120 ms", "< 400 ms"]), ...figures("from source", source, [])],
      checks: [
        {
          what: "every start reaches the agent's first output",
          ok: built.length === rounds,
          seen: `${built.length}`,
        },
      ],
    };
  },
};
