// The floor of many sessions: so many agents on pipes of one program that parses what they say, stores nothing and
// serves nobody. Prints a BareCrowd.
import { runOverPipe } from "../kit/pipe.ts";
import { spreadOver, type TrickleOrder, trickleProgram } from "../kit/trickle-agent.ts";
import { memoryOf } from "../kit/usage.ts";

export interface BareCrowd {
  readonly latencies: readonly number[];
  readonly memoryMb: number;
}

const { sessions, order } = JSON.parse(process.argv[2] ?? "") as { sessions: number; order: TrickleOrder };
const program = trickleProgram();
if (program === undefined) throw new Error("There is no Perl here");
const runs = await Promise.all(
  Array.from({ length: sessions }, (_, n) => runOverPipe(spreadOver(order, n, sessions), { program })),
);
// Of each agent the first update is left out, as everywhere.
const latencies = runs.flatMap((run) => run.latencies.slice(1));
const told: BareCrowd = { latencies, memoryMb: memoryOf(process.pid).now };
console.log(JSON.stringify(told));
