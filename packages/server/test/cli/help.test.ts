import { describe, expect, test } from "vitest";
import { suite } from "./suite.ts";

const t = suite();

const help = async (...command: string[]) => (await t.run(...command, "--help")).stdout;

/** The commands a help text lists, with their descriptions. */
const listed = (text: string) =>
  [...text.matchAll(/^ {2}([a-z]+) {2,}(\S.*)$/gm)]
    .map(([, name = "", summary = ""]) => ({ name, summary }))
    .filter(({ name }) => name !== "help");

/** Every command by its words, such as `permit allow`. */
async function everyCommand(): Promise<string[][]> {
  const commands: string[][] = [];
  for (const { name } of listed(await help())) {
    commands.push([name]);
    const text = await help(name);
    const below = listed(text.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "");
    for (const one of below) commands.push([name, one.name]);
  }
  return commands;
}

describe("help", () => {
  test("has one plain line per command", async () => {
    const text = await help();
    expect(listed(text).map(({ name }) => name)).toEqual([
      ...[
        "run",
        "demo",
        "ls",
        "show",
        "attach",
        "send",
        "logs",
        "diff",
        "wait",
        "interrupt",
        "stop",
        "resume",
      ],
      ...[
        "retry",
        "undo",
        "discard",
        "commit",
        "rm",
        "review",
        "update",
        "merge",
        "pr",
        "worker",
        "workspaces",
      ],
      ...["fork", "conversations", "adopt", "permit", "answer", "serve", "down", "login"],
      ...["agents", "doctor", "config", "backup", "prune", "account", "projects"],
    ]);
    for (const { summary } of listed(text)) expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(text).toContain("Show the configuration and where each value comes from");
    expect(text).toContain("Check the setup and suggest fixes");
  });

  test("of every command has examples", async () => {
    for (const command of await everyCommand()) {
      expect(await help(...command), command.join(" ")).toMatch(/\nExamples:\n {2}drover /);
    }
  });

  test("lists nothing that the server refuses", async () => {
    for (const command of await everyCommand()) {
      const options = (await help(...command)).split("\nExamples:")[0];
      for (const refused of ["--container", '"project"', '"always"']) {
        expect(options, command.join(" ")).not.toContain(refused);
      }
    }
  });
});

test("a value that no server knows is exit 2", async () => {
  const { code, stderr } = await t.run("ls", "--state", "asleep");
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed choices are queued, starting, running");
});
