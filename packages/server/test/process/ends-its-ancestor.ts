// A program below an agent that ends this agent, like a server that an agent started; records the result.
import { writeFileSync } from "node:fs";
import { identify, isAlive } from "../../src/process/identity.ts";
import { killTree } from "../../src/process/tree.ts";

const agent = identify(process.ppid);
if (agent === undefined) throw new Error("The agent has exited");
const { survivors } = await killTree({
  identity: agent,
  mark: process.env["DROVER_SESSION"],
  grace: 500,
});
writeFileSync(process.argv[2] ?? "", JSON.stringify({ survivors, isAgentAlive: isAlive(agent) }));
