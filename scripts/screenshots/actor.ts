// Plays the agents in the screenshots: the demo agent, with the script that belongs to a person's prompt.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { plans } from "./plans.ts";
import { workerPlans } from "./worker-plans.ts";

const [program = "", ...args] = process.argv.slice(2);
const demo = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
demo.on("exit", (code) => process.exit(code ?? 1));

for await (const line of createInterface({ input: process.stdin })) demo.stdin.write(`${scripted(line)}\n`);
demo.stdin.end();

/** The ACP message as it arrived, or a prompt with its script in place of its text. */
function scripted(line: string): string {
  if (!line.includes('"session/prompt"')) return line;
  const message = JSON.parse(line);
  const plan = [...plans, ...workerPlans].find(({ prompt }) =>
    line.includes(JSON.stringify(prompt).slice(1, -1)),
  );
  if (plan) message.params.prompt = [{ type: "text", text: plan.script.join("\n") }];
  return JSON.stringify(message);
}
