// A program below an agent that ends this agent, as a server does that an agent has started; writes down what came of it.
import { writeFileSync } from "node:fs";
import { identify, isAlive } from "../../src/process/identity.ts";
import { killTree } from "../../src/process/tree.ts";

const agent = identify(process.ppid);
if (agent === undefined) throw new Error("The agent has ended");
const { survivors } = await killTree({
  identity: agent,
  mark: process.env["DROVER_SESSION"],
  grace: 500,
});
writeFileSync(process.argv[2] ?? "", JSON.stringify({ survivors, isAgentAlive: isAlive(agent) }));
