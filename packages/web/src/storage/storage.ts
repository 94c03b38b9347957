/**
 * Browser storage with a fallback. Where the browser refuses, such as in a private window or when it is full, values are
 * kept in memory, so that nothing typed is lost.
 */
export class SafeStorage {
  private readonly open: () => Storage;
  /** Values that the browser refused to store or remove. */
  private readonly refused = new Map<string, string | undefined>();

  constructor(open: () => Storage) {
    this.open = open;
  }

  read(key: string): string | undefined {
    if (this.refused.has(key)) return this.refused.get(key);
    try {
      return this.open().getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** A value stored as JSON; undefined if it is not valid JSON. */
  readJson<T>(key: string): T | undefined {
    try {
      return JSON.parse(this.read(key) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined removes the key. */
  write(key: string, value: string | undefined): void {
    try {
      if (value === undefined) this.open().removeItem(key);
      else this.open().setItem(key, value);
      this.refused.delete(key);
    } catch {
      this.refused.set(key, value);
    }
  }

  /** All keys with this prefix. */
  keys(prefix: string): readonly string[] {
    let kept: string[] = [];
    try {
      kept = Object.keys(this.open());
    } catch {
      // Without storage there are no stored keys.
    }
    return [...new Set([...kept, ...this.refused.keys()])].filter((key) => key.startsWith(prefix));
  }
}

/** Shared by the tabs of this browser. */
export const browserStorage = new SafeStorage(() => localStorage);
/** Of this tab only; survives a reload. */
export const tabStorage = new SafeStorage(() => sessionStorage);
