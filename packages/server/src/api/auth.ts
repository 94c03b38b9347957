import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { ApiDeps } from "./deps.ts";

const codeLifeMs = 10 * 60_000;
/** Codes nobody used; the oldest make room. */
const maxCodes = 100;
const failureWindowMs = 60_000;
const maxFailures = 5;
/** Browsers keep no cookie longer than this; the login itself ends at logout. */
const cookieSeconds = 400 * 24 * 3600;

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Takes the same time whatever the difference; lengths are hidden by the hash. */
function isSame(given: string, expected: Buffer): boolean {
  return timingSafeEqual(sha256(given), expected);
}

export interface AuthOptions {
  readonly auth: ApiDeps["auth"];
  readonly clock: () => number;
}

/** Who may come in: the install's token, one-time login codes, and cookies known by their hash. */
export class Auth {
  private readonly deps: ApiDeps["auth"];
  private readonly clock: () => number;
  private readonly tokenHash: Buffer;
  /** By hash in hex; the value is when it stops being good. */
  private readonly codes = new Map<string, number>();
  private failures: number[] = [];

  constructor({ auth, clock }: AuthOptions) {
    this.deps = auth;
    this.clock = clock;
    this.tokenHash = sha256(auth.token);
  }

  /** A code for one login within ten minutes. */
  mintLoginCode(): string {
    const code = randomBytes(24).toString("base64url");
    const oldest = this.codes.keys().next();
    if (this.codes.size >= maxCodes && !oldest.done) this.codes.delete(oldest.value);
    this.codes.set(sha256(code).toString("hex"), this.clock() + codeLifeMs);
    return code;
  }

  isToken(given: string): boolean {
    return isSame(given, this.tokenHash);
  }

  /**
   * The login a Cookie header carries: the name by which it is removed again. Another program on this host can set a
   * cookie of our name beside ours, so there may be several: a few are looked at.
   */
  async login(header: string | undefined, port: number): Promise<string | undefined> {
    for (const value of cookieValues(header, port)) {
      const hash = sha256(value).toString("hex");
      if (await this.deps.hasLogin(hash)) return hash;
    }
    return undefined;
  }

  /** Opens a login; the result is the cookie's value, which only its owner ever has. */
  async open(secret: { code: string } | { token: string }): Promise<Result<string, Rejection>> {
    const now = this.clock();
    this.failures = this.failures.filter((at) => now - at < failureWindowMs);
    const [oldest] = this.failures;
    if (oldest !== undefined && this.failures.length >= maxFailures) {
      const seconds = Math.ceil((oldest + failureWindowMs - now) / 1000);
      return reject("TOO_MANY_ATTEMPTS", `Too many wrong logins; try again in ${seconds} s`, {
        retryAfter: seconds,
      });
    }
    const isGood = "code" in secret ? this.spend(secret.code) : this.isToken(secret.token);
    if (!isGood) {
      this.failures.push(now);
      const advice =
        "code" in secret ? "it works once, for ten minutes; ask for a new link" : "see the file token";
      return reject("UNAUTHENTICATED", `This ${"code" in secret ? "code" : "token"} is not good: ${advice}`);
    }
    const cookie = randomBytes(32).toString("base64url");
    await this.deps.addLogin(sha256(cookie).toString("hex"));
    return ok(cookie);
  }

  async close(login: string): Promise<void> {
    await this.deps.removeLogin(login);
  }

  private spend(code: string): boolean {
    const hash = sha256(code).toString("hex");
    const goodUntil = this.codes.get(hash);
    this.codes.delete(hash);
    return goodUntil !== undefined && this.clock() < goodUntil;
  }
}

export const cookieName = (port: number) => `drover_${port}`;

export function setCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieSeconds}`;
}

export function clearCookie(port: number): string {
  return `${cookieName(port)}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`;
}

function cookieValues(header: string | undefined, port: number): string[] {
  if (!header) return [];
  const start = `${cookieName(port)}=`;
  return header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .slice(0, 4)
    .map((part) => part.slice(start.length));
}
