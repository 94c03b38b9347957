// Programs that answer a prompt with lines of JSON, as agents of `drover.yaml`.
import { join } from "node:path";
import { kitAgent, type Rig, readJson } from "./support.ts";

export const jsonl = (program: string, ...args: string[]) => ({
  ...kitAgent(program, ...args),
  driver: "jsonl",
});

/** Ten lines of YAML, and no code. */
export const madeUp = (home: string) => ({
  ...jsonl("jsonl-echo.mjs", "--started", join(home, "started")),
  name: "Made Up",
  nonInteractive: ["--batch"],
  systemFlag: "--tell",
  resume: ["--continue", "{sessionId}"],
  sessionId: ["opened", "talk", "id"],
  text: [{ type: "word", at: ["payload", "said"] }],
  done: [{ type: "closed", at: ["ok"], is: true }],
});

interface Started {
  argv: string[];
  prompt: string;
  terminals: number[];
  heeds?: string;
}

/** How a custom program was last started. */
export const started = (rig: Rig): Promise<Started> => readJson(join(rig.home, "started"));
