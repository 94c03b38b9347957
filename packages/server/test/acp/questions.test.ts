import { expect, test } from "vitest";
import { askScripted } from "./support.ts";

const form = (properties: object, message = "Which colour?"): object => ({
  id: "ask-1",
  method: "elicitation/create",
  params: {
    mode: "form",
    sessionId: "conversation-1",
    toolCallId: "t9",
    message,
    requestedSchema: { type: "object", properties },
  },
});

test("A13 questions with options, multi-select and free text reach a person, and the answers reach the agent", async () => {
  const titled = [
    { const: "r", title: "Red", description: "warm" },
    { const: "b", title: "Blue" },
  ];
  const request = form({
    colour: { type: "string", title: "Colour", description: "Which colour?", oneOf: titled },
    colour_custom: { type: "string", title: "Other" },
    sizes: { type: "array", title: "Which sizes?", items: { type: "string", enum: ["S", "M", "L"] } },
    count: { type: "integer", title: "How many?" },
    gift: { type: "boolean", title: "As a gift?" },
  });
  const answers = { colour: "Green, please", sizes: ["S", "L"], count: "3", gift: "Yes" };
  const { host, received } = await askScripted(request, { type: "answered", answers });
  expect(host.of("question_request")).toEqual([
    {
      type: "question_request",
      requestKey: '"ask-1"',
      toolCallId: "t9",
      title: "Which colour?",
      questions: [
        {
          id: "colour",
          header: "Colour",
          question: "Which colour?",
          options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
          multiSelect: false,
        },
        {
          id: "sizes",
          question: "Which sizes?",
          options: [{ label: "S" }, { label: "M" }, { label: "L" }],
          multiSelect: true,
        },
        { id: "count", question: "How many?", options: [], multiSelect: false },
        {
          id: "gift",
          question: "As a gift?",
          options: [{ label: "Yes" }, { label: "No" }],
          multiSelect: false,
        },
      ],
    },
  ]);
  expect(received).toEqual({
    result: {
      action: "accept",
      content: { colour_custom: "Green, please", sizes: ["S", "L"], count: 3, gift: true },
    },
  });
});

test("a denied question is declined with the reason, and a cancelled one is cancelled", async () => {
  const request = form({ answer: { type: "string" } });
  const declined = await askScripted(request, { type: "denied", message: "Timed out" });
  expect(declined.received).toEqual({
    result: { action: "decline", _meta: { "drover/reason": "Timed out" } },
  });
  const cancelled = await askScripted(request, { type: "cancelled" });
  expect(cancelled.received).toEqual({ result: { action: "cancel" } });
});
