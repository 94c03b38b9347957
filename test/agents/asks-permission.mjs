// Asks before it runs a command, or edits the file named by `--edit`; allowed, it appends one line to `--file`. Says the
// answer it got, `_meta` included. A prompt in JSON is what it tells of the tool call instead of its own; its `changed` is
// the input, and its `shows` the content, that it tells of while it waits.
import { appendFileSync } from "node:fs";
import { args, serve } from "./kit.mjs";

// Ids that say nothing: who answers must go by kind.
const OPTIONS = [
  { optionId: "opt-b", name: "Always", kind: "allow_always" },
  { optionId: "opt-a", name: "Yes", kind: "allow_once" },
  { optionId: "opt-d", name: "Never", kind: "reject_always" },
  { optionId: "opt-c", name: "No", kind: "reject_once" },
];
let calls = 0;

serve({
  async prompt({ text, ask, say, update }) {
    const toolCallId = `call-${++calls}`;
    const { changed, shows, ...told } = text.startsWith("{") ? JSON.parse(text) : {};
    const toolCall = {
      toolCallId,
      title: "Append a line",
      kind: args.edit ? "edit" : "execute",
      status: "pending",
      rawInput: args.edit ? { path: args.edit } : { command: `echo ${toolCallId} >> log` },
      ...told,
    };
    update({ sessionUpdate: "tool_call", ...toolCall });
    const asked = ask("session/request_permission", { toolCall, options: OPTIONS });
    if (changed) update({ sessionUpdate: "tool_call_update", toolCallId, rawInput: changed });
    if (shows) update({ sessionUpdate: "tool_call_update", toolCallId, content: shows });
    const { result, error } = await asked;
    const option = OPTIONS.find(({ optionId }) => optionId === result?.outcome?.optionId);
    const allowed = option?.kind.startsWith("allow") ?? false;
    if (allowed && args.file) appendFileSync(args.file, `${toolCallId} ${text}\n`);
    update({ sessionUpdate: "tool_call_update", toolCallId, status: allowed ? "completed" : "failed" });
    say(JSON.stringify({ outcome: result?.outcome, kind: option?.kind, _meta: result?._meta, error }));
    return result?.outcome?.outcome === "cancelled" ? "cancelled" : "end_turn";
  },
});
