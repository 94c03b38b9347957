// Sends unknown updates, notifications and an unknown request, and writes the response to the request.
import { send, serve } from "./kit.mjs";

serve({
  async prompt({ say, update, ask }) {
    say("before ");
    update({ sessionUpdate: "kit_unheard_of", content: { type: "text", text: "must not be shown" } });
    update({ sessionUpdate: "agent_message_chunk", content: { type: "kit_hologram", data: "…" } });
    send({ method: "kit/news", params: { weather: "fine" } });
    send({ method: "_kit/extension" });
    const { result, error } = await ask("kit/unknown_request", {});
    say(`after ${JSON.stringify({ code: error?.code, result })}`);
    return "end_turn";
  },
});
