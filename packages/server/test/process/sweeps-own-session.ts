// A program that has a session's mark itself and ends an agent of that session.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { identify } from "../../src/process/identity.ts";
import { findTree, killTree } from "../../src/process/tree.ts";

const mark = process.env["DROVER_SESSION"] ?? "";
const agent = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
await once(agent, "spawn");
const identity = identify(agent.pid ?? -1);
if (identity === undefined) throw new Error("The agent did not start");

const found = await findTree(identity, mark);
console.log(`found exactly the agent: ${found.length === 1 && found[0]?.pid === agent.pid}`);
const { survivors } = await killTree({ identity, mark, grace: 1000 });
console.log(`survivors: ${survivors.length}`);
