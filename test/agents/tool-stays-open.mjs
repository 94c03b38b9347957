// Starts a tool call that stays open while it writes text and thoughts `--count` times (default 5); completes the call when
// it is cancelled.
import { once } from "node:events";
import { args, serve } from "./kit.mjs";

serve({
  async prompt({ say, update, cancelled }) {
    const toolCallId = "call-1";
    const call = { toolCallId, title: "Long work", kind: "execute", rawInput: { command: "sleep" } };
    update({ sessionUpdate: "tool_call", status: "in_progress", ...call });
    for (let n = 0; n < Number(args.count ?? 5); n++) {
      for (const part of ["one ", "two ", "three "]) say(`${n} ${part}`);
      const content = { type: "text", text: `thought ${n}` };
      update({ sessionUpdate: "agent_thought_chunk", content });
    }
    if (!cancelled.aborted) await once(cancelled, "abort");
    update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", rawOutput: "done" });
    return "cancelled";
  },
});
