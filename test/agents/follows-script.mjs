// Takes the steps that its prompt lists in JSON: {update}, {ask: params} (writes the answer it got), {until: FILE} (waits
// for the file), {fail: error} (ends the turn with it), "cancelled" (waits for a cancel). `--answers` is JSON, too: the
// response to a method ({result} or {error}), "silence", or {exit, words} to exit with these words on stderr.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { args, send, serve, writeError } from "./kit.mjs";

const answers = Object.entries(JSON.parse(args.answers ?? "{}")).map(([method, answer]) => [
  method,
  (_params, id) => {
    if (answer === "silence") return;
    if (answer.exit !== undefined) {
      writeError(`${answer.words}\n`);
      process.exit(answer.exit);
    }
    send({ id, ...answer });
  },
]);

serve({
  async prompt({ text, ask, say, update, cancelled, requestId }) {
    for (const step of JSON.parse(text)) {
      if (step === "cancelled" && !cancelled.aborted) await once(cancelled, "abort");
      if (step.update) update(step.update);
      if (step.ask) say(JSON.stringify((await ask("session/request_permission", step.ask)).result));
      while (step.until && !existsSync(step.until)) await pause(20);
      if (step.fail) {
        send({ id: requestId, error: step.fail });
        return undefined;
      }
    }
    return cancelled.aborted ? "cancelled" : "end_turn";
  },
  ...Object.fromEntries(answers),
});
