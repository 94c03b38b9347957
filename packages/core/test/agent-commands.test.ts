import { expect, test } from "vitest";
import { usableCommands } from "../src/agent-commands.ts";

test("a command loses its slash, and its words become one line of bounded length without hidden characters", () => {
  const [command] = usableCommands([
    { name: "/review", description: `Reviews\n\u202ea  change ${"x".repeat(5_000)}`, hint: " " },
  ]);
  expect(command).toMatchObject({ name: "review" });
  expect(command?.description?.startsWith("Reviews ⟨U+202E⟩a change x")).toBe(true);
  expect(command?.description).toHaveLength(300);
  expect(command).not.toHaveProperty("hint");
});

test("names that can't be typed, and more than 300, are left out", () => {
  const odd = ["", "/", "two words", "a\u0000b", "zero\u200bwidth", "x".repeat(101)].map((name) => ({
    name,
  }));
  expect(usableCommands(odd)).toEqual([]);
  expect(usableCommands([{ name: "a" }, { name: "/a", description: "again" }])).toEqual([
    { name: "a", description: "again" },
  ]);
  const many = Array.from({ length: 1_000 }, (_, at) => ({ name: `c${at}` }));
  expect(usableCommands(many)).toHaveLength(300);
});
