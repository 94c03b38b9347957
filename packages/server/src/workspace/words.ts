const SHOWN = 3;

/** The first few of these names. */
export function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `${names.slice(0, SHOWN).join(", ")}${more}`;
}

/** The first few of these files as the subject of a sentence, with the verb for one file or for several. */
export const filesThat = (files: readonly string[], one: string, several: string): string =>
  `${someOf(files)} ${files.length === 1 ? one : several}`;
