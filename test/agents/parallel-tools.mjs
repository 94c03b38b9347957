// Makes three tool calls whose updates are interleaved; each call's output contains its own id.
import { serve } from "./kit.mjs";

const IDS = ["call-a", "call-b", "call-c"];
const content = (text) => [{ type: "content", content: { type: "text", text } }];

serve({
  prompt({ say, update }) {
    for (const toolCallId of IDS) {
      update({
        sessionUpdate: "tool_call",
        toolCallId,
        title: `Run ${toolCallId}`,
        kind: "execute",
        status: "pending",
        rawInput: { command: `echo ${toolCallId}` },
      });
    }
    for (let n = 0; n < 3; n++) {
      for (const toolCallId of IDS) {
        const text = `${toolCallId} part ${n}\n`;
        update({
          sessionUpdate: "tool_call_update",
          toolCallId,
          status: "in_progress",
          content: content(text),
        });
      }
      say(`round ${n} `);
    }
    for (const toolCallId of IDS.toReversed()) {
      const text = `${toolCallId} done`;
      update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content: content(text) });
    }
    return "end_turn";
  },
});
