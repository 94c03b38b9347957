// The floor of many sessions: the agents on pipes of one program that parses their output, stores nothing and serves no
// clients. Prints a BareCrowd.
import { runOverPipe } from "../kit/pipe.ts";
import { spreadOver, type TrickleOrder, trickleProgram } from "../kit/trickle-agent.ts";
import { memoryOf } from "../kit/usage.ts";

export interface BareCrowd {
  readonly latencies: readonly number[];
  readonly memoryMb: number;
}

const { sessions, order } = JSON.parse(process.argv[2] ?? "") as { sessions: number; order: TrickleOrder };
const program = trickleProgram();
if (program === undefined) throw new Error("Perl is not installed");
const runs = await Promise.all(
  Array.from({ length: sessions }, (_, n) => runOverPipe(spreadOver(order, n, sessions), { program })),
);
// Each agent's first update is left out, as in all measurements.
const latencies = runs.flatMap((run) => run.latencies.slice(1));
const result: BareCrowd = { latencies, memoryMb: memoryOf(process.pid).now };
console.log(JSON.stringify(result));
