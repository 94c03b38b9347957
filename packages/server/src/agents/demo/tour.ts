import type { Instruction } from "./script.ts";

const welcome = `# Welcome to Drover

I am the **demo agent**. I need no model, no account and no network. What I do is real, only the thinking is not:

- text arrives while it is written, as this list does
- what I do appears as a tool call, with its input and its result
- what could change something waits for *you*

\`\`\`sh
# Every line you send me is one instruction.
drover run demo "run git status"
\`\`\`
`;

const beforeRun = `
Now I would like to run a command. Nothing happens until you allow it:
`;

const goodbye = `
## That was the tour

Try a line of your own:

| you write | I do |
|---|---|
| \`stream 200\` | write two hundred words |
| \`ask Which colour? \\| Red \\| Blue\` | ask you and wait |
| \`write notes.txt Hello\` | write a file, once you allow it |
| \`run git status\` | run a command, once you allow it |
`;

const tasks = ["Say hello", "Look around", "Run a command"];

/**
 * What `tour` does: a little of everything, in about a second. It asks for exactly one approval and no question, so
 * that one click completes it.
 */
export const tour: readonly Instruction[] = [
  { do: "slow", ms: 25 },
  { do: "plan", tasks, current: 0 },
  { do: "say", text: welcome },
  { do: "think", text: "Said hello. Next I look around, then I do something that needs approval." },
  { do: "plan", tasks, current: 1 },
  { do: "read", path: "." },
  { do: "plan", tasks, current: 2 },
  { do: "say", text: beforeRun },
  { do: "run", command: 'echo "Hello from Drover"' },
  { do: "plan", tasks, current: 3 },
  { do: "say", text: goodbye },
];
