import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { err, ok, type Rejection, type Result } from "@drover/core";
import { loginCookieValues } from "./cookies.ts";
import { type KnownLogin, Logins, type LoginsOptions, type NewLogin, sha256 } from "./logins.ts";

const codeLifeMs = 10 * 60_000;
/** Unused codes; the oldest are dropped. */
const maxCodes = 100;
const failureWindowMs = 60_000;
const maxFailures = 5;

export interface AuthOptions extends LoginsOptions {
  /** Milliseconds on a clock that never jumps. */
  readonly clock: () => number;
}

export type Secret = { readonly code: string } | { readonly token: string };

/** Decides who is admitted: the install's token, one-time login codes, and browsers that are logged in. */
export class Auth {
  readonly logins: Logins;
  private readonly clock: () => number;
  private readonly tokenHash: Buffer;
  /** By hash in hex; the value is when it expires. */
  private readonly codes = new Map<string, number>();
  private failures: number[] = [];

  constructor(options: AuthOptions) {
    this.logins = new Logins(options);
    this.clock = options.clock;
    this.tokenHash = sha256(options.token);
  }

  /** A code for one login within ten minutes. */
  mintLoginCode(): string {
    const code = randomBytes(24).toString("base64url");
    const oldest = this.codes.keys().next();
    if (this.codes.size >= maxCodes && !oldest.done) this.codes.delete(oldest.value);
    this.codes.set(hashOf(code), this.clock() + codeLifeMs);
    return code;
  }

  /** Takes constant time whatever the difference; the hash hides the length. */
  isToken(token: string): boolean {
    return timingSafeEqual(sha256(token), this.tokenHash);
  }

  /** The login a request comes from. A browser's WebSocket cannot set headers, so its key is a subprotocol. */
  loginOf({ headers }: IncomingMessage, port: number, isUpgrade = false): KnownLogin | undefined {
    const key = isUpgrade ? keyOffered(headers["sec-websocket-protocol"]) : headers["x-drover-key"];
    return this.logins.find(
      loginCookieValues(headers.cookie, port),
      typeof key === "string" ? key : undefined,
    );
  }

  /** Why this secret opens no login. Does not use up a code. */
  refusalOf(secret: Secret): Rejection | undefined {
    const isGood = "code" in secret ? this.isCode(secret.code) : this.isToken(secret.token);
    return isGood ? undefined : this.refusal("code" in secret ? "code" : "token");
  }

  /** Opens a login; returns the cookie's value, which only its owner ever has. */
  async open(secret: Secret, login: NewLogin): Promise<Result<string, Rejection>> {
    const refusal = this.refusalOf(secret);
    if (refusal) return err(refusal);
    if ("code" in secret) this.codes.delete(hashOf(secret.code));
    return ok(await this.logins.open(login));
  }

  /** Ends every login but this one, and the codes that would open others. Returns how many logins ended. */
  revokeAllBut(id: string | undefined): Promise<number> {
    this.codes.clear();
    return this.logins.revokeAllBut(id);
  }

  /**
   * Only wrong secrets are counted and rejected: on loopback everyone has the same address, and guesses must not lock
   * the owner out. They cannot succeed either: a code has 192 random bits, the token 256.
   */
  private refusal(kind: "code" | "token"): Rejection {
    const now = this.clock();
    this.failures = this.failures.filter((at) => now - at < failureWindowMs);
    const [oldest] = this.failures;
    if (oldest !== undefined && this.failures.length >= maxFailures) {
      const retryAfter = Math.ceil((oldest + failureWindowMs - now) / 1000);
      const message = `Too many wrong logins; try again in ${retryAfter} s. A valid code or token still works now`;
      return { code: "TOO_MANY_ATTEMPTS", message, facts: { retryAfter } };
    }
    this.failures.push(now);
    const next =
      kind === "code"
        ? "a code works once, for ten minutes; run `drover` for a new login link"
        : "use the one in the file `token` in the server's home";
    return { code: "UNAUTHENTICATED", message: `Invalid ${kind}: ${next}` };
  }

  private isCode(code: string): boolean {
    const goodUntil = this.codes.get(hashOf(code));
    return goodUntil !== undefined && this.clock() < goodUntil;
  }
}

const hashOf = (code: string) => sha256(code).toString("hex");

function keyOffered(protocols: string | undefined): string | undefined {
  const offered = protocols?.split(",").map((protocol) => protocol.trim());
  return offered?.find((protocol) => protocol.startsWith("key."))?.slice("key.".length);
}
