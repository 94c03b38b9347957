// Has no memory: writes the whole prompt unchanged.
import { line, prompt } from "./jsonl-kit.mjs";

line({ type: "word", text: prompt() });
line({ type: "turn.completed" });
