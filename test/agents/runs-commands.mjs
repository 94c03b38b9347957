// Runs its prompt as a shell command without asking, and writes the command's output.
import { spawn } from "node:child_process";
import { serve } from "./kit.mjs";

serve({
  prompt: ({ text, say }) =>
    new Promise((resolve) => {
      const child = spawn("/bin/sh", ["-c", text], { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.setEncoding("utf8").on("data", say);
      child.once("close", () => resolve("end_turn"));
    }),
});
