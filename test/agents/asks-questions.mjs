// Asks a form of three questions (one choice, several choices, yes or no) and writes the answer it got.
import { serve } from "./kit.mjs";

const requestedSchema = {
  type: "object",
  properties: {
    colour: {
      type: "string",
      title: "Colour",
      description: "Which colour shall it be?",
      oneOf: [
        { const: "#f00", title: "Red", description: "Like a barn" },
        { const: "#00f", title: "Blue" },
      ],
    },
    sizes: {
      type: "array",
      title: "Sizes",
      description: "Which sizes are needed?",
      items: { type: "string", enum: ["S", "M", "L"] },
    },
    urgent: { type: "boolean", title: "Is it urgent?" },
  },
  required: ["colour", "sizes", "urgent"],
};

serve({
  async prompt({ ask, say }) {
    const { result, error } = await ask("elicitation/create", {
      mode: "form",
      message: "Before I begin:",
      requestedSchema,
    });
    say(JSON.stringify({ action: result?.action, content: result?.content, _meta: result?._meta, error }));
    return "end_turn";
  },
});
