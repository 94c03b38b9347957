export { formatAnswersAsPrompt } from "./answers.ts";
export {
  type BuiltPrompt,
  buildPrompt,
  buildTurnPrompt,
  fitSystemText,
  maxArgumentBytes,
  type PromptInput,
} from "./build.ts";
export { type PromptFile, withFiles } from "./files.ts";
export { mergeSystem } from "./fit.ts";
export type { ContextEntry, Sections } from "./markers.ts";
export { isSlashCommand } from "./slash.ts";
export { splitPrompt } from "./split.ts";
