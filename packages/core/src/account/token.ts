import { valueAt } from "../command-line.ts";
import type { JsonPath } from "../json-path.ts";
import type { TokenPaths } from "./carrier.ts";
import { isExpired } from "./choose.ts";

/** A login as vendors store it. Only the first is required. */
export interface Token {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt?: string;
}

/** `renewable`: it has ended, but can be exchanged for a new one. */
export type TokenState = "live" | "renewable" | "expired";

/** Undefined if the file has no token there. */
export function readToken(content: unknown, paths: TokenPaths): Token | undefined {
  const accessToken = textAt(content, paths.accessToken);
  if (accessToken === undefined) return undefined;
  const refreshToken = textAt(content, paths.refreshToken);
  const expiresAt = timeAt(content, paths.expiresAt);
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

export function tokenState({ expiresAt, refreshToken }: Token, now: number): TokenState {
  if (!isExpired(expiresAt, now)) return "live";
  return refreshToken === undefined ? "expired" : "renewable";
}

function textAt(content: unknown, path: JsonPath | undefined): string | undefined {
  const value = path && valueAt(content, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function timeAt(content: unknown, path: JsonPath | undefined): string | undefined {
  const value = path && valueAt(content, path);
  const time = typeof value === "number" ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
