const SHOWN = 3;

/** The first few of these names. */
export function someOf(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return `${names.slice(0, SHOWN).join(", ")}${more}`;
}
