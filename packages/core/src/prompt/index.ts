export { formatAnswersAsPrompt } from "./answers.ts";
export {
  type BuiltPrompt,
  buildPrompt,
  buildTurnPrompt,
  maxArgumentBytes,
  type PromptInput,
} from "./build.ts";
export type { ContextEntry, Sections } from "./markers.ts";
export { splitPrompt } from "./split.ts";
