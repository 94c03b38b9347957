import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { makeId } from "@drover/core";
import type { Logger, LoginRecords, LoginRow } from "../../ports.ts";

/** A login that has not been used for this long has ended. */
export const loginLifeMs = 30 * 24 * 3_600_000;
/** The precision of `lastUsedAt`: recording every request would write to the disk all day. */
const useEveryMs = 3_600_000;
/** One more ends the least recently used login. */
const maxLogins = 100;

export const sha256 = (text: string) => createHash("sha256").update(text).digest();

export interface LoginsOptions {
  readonly store: LoginRecords;
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when a login has ended: everything it has open ends with it. */
  readonly onEnded: (id: string) => void;
}

/** A login recognized by its cookie. */
export interface KnownLogin {
  readonly id: string;
  readonly cookie: string;
  /** The request also carried the login's key. Without it the cookie opens only the page's own files. */
  readonly hasKey: boolean;
}

/** How a browser identifies itself when it logs in. */
export interface NewLogin {
  readonly key: string;
  readonly label: string;
}

/**
 * The browsers that are logged in. A cookie reaches every port of its host, including an agent's preview server, so
 * each login also has a key, which only pages of our own origin can read. Logins are held in memory, and stored so that
 * they outlive the server.
 */
export class Logins {
  private readonly options: LoginsOptions;
  private readonly tokenHash: string;
  private readonly byCookie = new Map<string, LoginRow>();

  constructor(options: LoginsOptions) {
    this.options = options;
    this.tokenHash = sha256(options.token).toString("hex");
  }

  /** Reads the stored logins, and drops those that have expired or were made with another token. */
  async load(): Promise<void> {
    const { store, logger } = this.options;
    const { ended = [], valid = [] } = Object.groupBy(await store.logins(), (login) =>
      this.hasEnded(login) ? "ended" : "valid",
    );
    for (const login of valid) this.byCookie.set(login.cookieHash, login);
    if (ended.length === 0) return;
    // They are no longer valid either way; a full disk must not keep the server from starting.
    await store
      .removeLogins(ended.map(({ id }) => id))
      .catch((error: unknown) => logger.warn("Could not remove ended logins", { error: String(error) }));
  }

  /** The login that one of these cookies belongs to; the one with the right key, if any. */
  find(cookies: readonly string[], key: string | undefined): KnownLogin | undefined {
    const keyHash = key === undefined ? undefined : sha256(key);
    let found: KnownLogin | undefined;
    for (const cookie of cookies) {
      const login = this.byCookie.get(sha256(cookie).toString("hex"));
      if (!login || this.hasEnded(login)) continue;
      const hasKey = keyHash !== undefined && timingSafeEqual(keyHash, Buffer.from(login.keyHash, "hex"));
      if (hasKey) return { id: login.id, cookie, hasKey };
      found ??= { id: login.id, cookie, hasKey };
    }
    return found;
  }

  /** Opens a login. Returns the cookie's value, which is not kept here. */
  async open({ key, label }: NewLogin): Promise<string> {
    const { store, now } = this.options;
    const valid = this.list();
    const surplus = valid.slice(maxLogins - 1);
    const ended = [...this.byCookie.values()].filter((login) => this.hasEnded(login));
    const cookie = randomBytes(32).toString("base64url");
    const at = new Date(now()).toISOString();
    const login: LoginRow = {
      id: makeId("login", now(), () => randomInt(32)),
      cookieHash: sha256(cookie).toString("hex"),
      keyHash: sha256(key).toString("hex"),
      tokenHash: this.tokenHash,
      label,
      createdAt: at,
      lastUsedAt: at,
    };
    await store.addLogin(login);
    this.byCookie.set(login.cookieHash, login);
    await this.end([...surplus, ...ended]);
    return cookie;
  }

  /** Records that a login is in use; an expired one ends here. True if the use was worth storing. */
  use(id: string): boolean {
    const { store, now, logger, onEnded } = this.options;
    const login = this.byId(id);
    if (!login) onEnded(id);
    if (!login || Math.abs(now() - Date.parse(login.lastUsedAt)) < useEveryMs) return false;
    const lastUsedAt = new Date(now()).toISOString();
    this.byCookie.set(login.cookieHash, { ...login, lastUsedAt });
    store
      .useLogin(id, lastUsedAt)
      .catch((error: unknown) => logger.warn("Could not store the use of a login", { error: String(error) }));
    return true;
  }

  /** It has neither been revoked nor expired. */
  isOpen(id: string): boolean {
    return this.byId(id) !== undefined;
  }

  /** Most recently used first. */
  list(): LoginRow[] {
    return [...this.byCookie.values()]
      .filter((login) => !this.hasEnded(login))
      .sort((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt) || b.id.localeCompare(a.id));
  }

  /** False if there is no such login. */
  async revoke(id: string): Promise<boolean> {
    const login = this.byId(id);
    if (login) await this.end([login]);
    return login !== undefined;
  }

  /** Returns how many logins ended. */
  async revokeAllBut(id: string | undefined): Promise<number> {
    const others = this.list().filter((login) => login.id !== id);
    await this.end(others);
    return others.length;
  }

  private async end(logins: readonly LoginRow[]): Promise<void> {
    if (logins.length === 0) return;
    await this.options.store.removeLogins(logins.map(({ id }) => id));
    for (const { id, cookieHash } of logins) {
      this.byCookie.delete(cookieHash);
      this.options.onEnded(id);
    }
  }

  private byId(id: string): LoginRow | undefined {
    return [...this.byCookie.values()].find((login) => login.id === id && !this.hasEnded(login));
  }

  private hasEnded({ tokenHash, lastUsedAt }: LoginRow): boolean {
    return tokenHash !== this.tokenHash || this.options.now() - Date.parse(lastUsedAt) > loginLifeMs;
  }
}
