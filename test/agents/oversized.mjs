// Sends something far too large or too deep, as its prompt specifies: {"in": PLACE, "deep" | "size" | "count": N}.
// It echoes any other prompt.
import { encode, serve, write } from "./kit.mjs";

// Built by hand, because `JSON.stringify` fails long before 100,000 levels.
const nested = (depth) => `${'{"in":'.repeat(depth)}"core"${"}".repeat(depth)}`;
const made = ({ deep, size }) => (deep === undefined ? { text: "x".repeat(size) } : "@nested");
const writeNested = ({ deep }, message) => write(encode(message).replace('"@nested"', nested(deep)));
const words = ({ size }) => "x".repeat(size);
const listed = (count, one) => Array.from({ length: count }, (_, n) => one(n));

const call = { toolCallId: "call-1", title: "Work", kind: "execute", status: "pending" };
const allow = { optionId: "yes", name: "Yes", kind: "allow_once" };
const start = (fields) => ({ sessionUpdate: "tool_call", ...call, ...fields });
const permission = (ask, fields, options = [allow]) =>
  ask("session/request_permission", { toolCall: { ...call, ...fields }, options });
const form = (ask, properties, message = "Which?") =>
  ask("elicitation/create", { mode: "form", message, requestedSchema: { type: "object", properties } });

const places = {
  input: ({ update, order }) => update(start({ rawInput: made(order) })),
  permission: ({ ask, order }) => permission(ask, { rawInput: made(order) }),
  options: ({ ask, order }) =>
    permission(ask, { rawInput: { command: "ls" } }, [allow, { ...allow, name: words(order) }]),
  diff: ({ ask, order }) =>
    permission(ask, { content: [{ type: "diff", path: "f", oldText: "", newText: words(order) }] }),
  title: ({ update, order }) => update(start({ title: words(order) })),
  id: ({ update, order }) => update(start({ toolCallId: words(order) })),
  name: ({ update, order }) => update(start({ name: words(order) })),
  plan: ({ update, order }) =>
    update({ sessionUpdate: "plan", entries: listed(order.count, (n) => ({ content: `step ${n}` })) }),
  question: ({ ask, order }) => form(ask, { q: { type: "string", title: words(order) } }),
  questions: ({ ask, order }) =>
    form(ask, Object.fromEntries(listed(order.count, (n) => [`q${n}`, { type: "string" }]))),
  choices: ({ ask, order }) => form(ask, { q: { type: "string", enum: listed(order.count, String) } }),
  calls: ({ update, order }) => {
    for (let n = 0; n < order.count; n++) update(start({ toolCallId: `call-${n}` }));
  },
  permissions: ({ ask, order }) =>
    Promise.all(listed(order.count, (n) => permission(ask, { toolCallId: `call-${n}`, rawInput: { n } }))),
  result: ({ update, order }) => {
    update(start({ rawInput: { command: "cat" } }));
    update({ ...start({ status: "completed", rawOutput: made(order) }), sessionUpdate: "tool_call_update" });
  },
};

serve({
  async prompt(turn) {
    if (!turn.text.startsWith("{")) {
      turn.say(turn.text);
      return "end_turn";
    }
    const order = JSON.parse(turn.text);
    const { sessionId } = turn;
    const nestedTurn = {
      update: (update) => writeNested(order, { method: "session/update", params: { sessionId, update } }),
      ask: (method, fields) => {
        writeNested(order, { id: "deep:1", method, params: { sessionId, ...fields } });
        return new Promise(() => {});
      },
    };
    await places[order.in]({ ...turn, ...(order.deep === undefined ? {} : nestedTurn), order });
    return "end_turn";
  },
});
