// node test/models/main.ts anthropic|gemini|openai-chat|openai-responses [PORT]: a scripted model to try an agent against by hand.
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { type Dialect, startModel } from "./model.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

const dialects: Record<string, Dialect> = {
  anthropic,
  gemini,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

const [name = "", port = "0"] = process.argv.slice(2);
const dialect = dialects[name];
if (dialect) {
  const { url } = await startModel(dialect, Number(port));
  console.log(JSON.stringify({ event: "listening", url }));
} else {
  console.error(`usage: node test/models/main.ts ${Object.keys(dialects).join("|")} [PORT]`);
  process.exitCode = 2;
}
