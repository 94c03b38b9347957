// Has no memory: says the whole prompt it was given, as it was given.
import { line, prompt } from "./jsonl-kit.mjs";

line({ type: "word", text: prompt() });
line({ type: "turn.completed" });
