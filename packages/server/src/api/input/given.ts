/** The same record without the keys that hold undefined: left out and undefined are two things to the compiler. */
export function given<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
