// Asks before it runs a command, or edits the file named by `--edit`; if allowed, it appends one line to `--file`. Writes
// the answer it got, including `_meta`. A prompt in JSON replaces the fields of the tool call; its `changed` is the input,
// `retitled` the title, and its `shows` the content, that it sends as updates while it waits.
import { appendFileSync } from "node:fs";
import { args, serve } from "./kit.mjs";

// Meaningless ids: a client must choose by kind.
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
    const { changed, retitled, shows, ...fields } = text.startsWith("{") ? JSON.parse(text) : {};
    const toolCall = {
      toolCallId,
      title: "Append a line",
      kind: args.edit ? "edit" : "execute",
      status: "pending",
      rawInput: args.edit ? { path: args.edit } : { command: `echo ${toolCallId} >> log` },
      ...fields,
    };
    update({ sessionUpdate: "tool_call", ...toolCall });
    const answer = ask("session/request_permission", { toolCall, options: OPTIONS });
    const title = retitled ? { title: retitled } : {};
    if (changed) update({ sessionUpdate: "tool_call_update", toolCallId, rawInput: changed, ...title });
    if (shows) update({ sessionUpdate: "tool_call_update", toolCallId, content: shows });
    const { result, error } = await answer;
    const option = OPTIONS.find(({ optionId }) => optionId === result?.outcome?.optionId);
    const allowed = option?.kind.startsWith("allow") ?? false;
    if (allowed && args.file) appendFileSync(args.file, `${toolCallId} ${text}\n`);
    update({ sessionUpdate: "tool_call_update", toolCallId, status: allowed ? "completed" : "failed" });
    say(JSON.stringify({ outcome: result?.outcome, kind: option?.kind, _meta: result?._meta, error }));
    return result?.outcome?.outcome === "cancelled" ? "cancelled" : "end_turn";
  },
});
