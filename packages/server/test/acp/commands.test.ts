import { expect, test } from "vitest";
import { UpdateMapper } from "../../src/drivers/acp/map.ts";
import { FactBatch } from "../../src/drivers/fact-batch.ts";

test("the agent's own commands come with their description and the hint for their input", () => {
  const availableCommands = [
    { name: "review", description: "Review a change", input: { hint: "what to review" } },
    { name: "clear", description: "Forget everything", input: null },
    "nonsense",
  ];
  const batch = new FactBatch();
  const update = { sessionUpdate: "available_commands_update", availableCommands };
  new UpdateMapper({ isUnderWay: false }).map({ sessionId: "s", update }, batch);
  expect(batch.facts).toEqual([
    {
      type: "commands",
      commands: [
        { name: "review", description: "Review a change", hint: "what to review" },
        { name: "clear", description: "Forget everything" },
      ],
    },
  ]);
});
