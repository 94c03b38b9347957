// Writes `--count` words, one every few milliseconds, then reports the end of its turn. Keeps going without its server.
// With --after N it kills itself in the middle of the line after the Nth word; with --release FILE it waits halfway for
// that file.
import { setTimeout as delay } from "node:timers/promises";
import { args, line, prompt, released, write } from "./jsonl-kit.mjs";

prompt();
line({ type: "opened", id: `slow-${process.pid}` });
for (let n = 0; n < Number(args.count); n++) {
  if (n === Number(args.count) / 2) await released();
  if (n === Number(args.after)) {
    write('{"type":"word","text":"never who');
    process.kill(process.pid, "SIGKILL");
  }
  line({ type: "word", text: `word ${n} ` });
  await delay(2);
}
line({ type: "turn.completed" });
