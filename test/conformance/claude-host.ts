// node claude-host.ts STAGE JOURNAL PROMPT [lose]: a host of the driver that can be killed. It prompts the agent and
// answers nothing. On SIGTERM it detaches from the agent, as a server does. With `lose` it never stores the agent's
// requests.
import type { AgentBatch } from "../../packages/server/src/ports.ts";
import { Journal, openClaude, type Stage } from "./claude-scene.ts";

const [stage = "{}", file = "", prompt = "", lose] = process.argv.slice(2);
const journal = new Journal(file);
const isLost = ({ facts }: AgentBatch) =>
  lose === "lose" && facts.some((fact) => fact.type === "approval_request");

const connection = await openClaude(JSON.parse(stage) as Stage, journal, {
  host: {
    spawned: async (spawned) => journal.write({ spawned }),
    record: async (batch) => {
      if (!isLost(batch)) return journal.write({ batch });
      console.log("lost");
      await new Promise<never>(() => undefined);
    },
    unreadable: (error) => console.error(error),
  },
});
process.once("SIGTERM", () => {
  connection.detach();
  process.exit(0);
});
await connection.prompt("trn_killed", prompt);
