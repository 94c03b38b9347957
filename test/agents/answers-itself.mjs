// Asks for permission and tries every way to approve it itself, with the token from Drover's home. Reports the response
// to each attempt, and then the answer to its request.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "./kit.mjs";

const home = join(process.env.HOME, ".drover");
const id = process.env.DROVER_SESSION;

async function http(method, path, body) {
  const { url } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const headers = { authorization: `Bearer ${token()}`, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  return (await answer.json()).code ?? answer.status;
}

async function socket(type, fields) {
  const { url } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
  const headers = { authorization: `Bearer ${token()}` };
  const ws = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  ws.addEventListener("open", () => ws.send(JSON.stringify({ type, requestId: "mine", ...fields })));
  // A broadcast may arrive together with the answer, so a new listener per frame would miss some.
  const answer = await new Promise((resolve) => {
    ws.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.requestId === "mine") resolve(frame);
    });
  });
  ws.close();
  return answer.code ?? answer.type;
}

const token = () => readFileSync(join(home, "token"), "utf8").trim();

serve({
  async prompt({ ask, say }) {
    const toolCallId = "mine";
    const answered = ask("session/request_permission", {
      toolCall: { toolCallId, title: "Anything", kind: "execute", status: "pending", rawInput: {} },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    const attempts = {
      approve: await http("POST", `/api/sessions/${id}/approve`, { toolCallId }),
      deny: await http("POST", `/api/sessions/${id}/deny`, { toolCallId }),
      answer: await http("POST", `/api/sessions/${id}/submit-answers`, { toolCallId, answers: {} }),
      mode: await http("PATCH", `/api/sessions/${id}`, { permissionMode: "never" }),
      socket: await socket("session:approve", { sessionId: id, toolCallId }),
    };
    say(JSON.stringify(attempts));
    const { result } = await answered;
    say(`\n${result.outcome.optionId}`);
    return "end_turn";
  },
});
