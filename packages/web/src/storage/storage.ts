/**
 * What the browser keeps for this page. Where it refuses, in a private window or with no room left, the tab remembers
 * for itself: nothing that is typed fails for want of a place to keep it.
 */
export class SafeStorage {
  private readonly open: () => Storage;
  /** What the browser would not take, and what it would not give up. */
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

  /** What `write` was given as JSON; nothing where something else stands. */
  readJson<T>(key: string): T | undefined {
    try {
      return JSON.parse(this.read(key) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined forgets. */
  write(key: string, value: string | undefined): void {
    try {
      if (value === undefined) this.open().removeItem(key);
      else this.open().setItem(key, value);
      this.refused.delete(key);
    } catch {
      this.refused.set(key, value);
    }
  }

  /** Every key that begins so. */
  keys(prefix: string): readonly string[] {
    let kept: string[] = [];
    try {
      kept = Object.keys(this.open());
    } catch {
      // Nothing is kept where nothing can be.
    }
    return [...new Set([...kept, ...this.refused.keys()])].filter((key) => key.startsWith(prefix));
  }
}

/** Shared by the tabs of this browser. */
export const browserStorage = new SafeStorage(() => localStorage);
/** Of this tab alone; it survives a reload. */
export const tabStorage = new SafeStorage(() => sessionStorage);
