import type { JsonPath } from "../json-path.ts";

/** How an agent gets a login of its vendor. */
export interface AccountCarrier {
  /** Agents with the same group share their accounts; without one, an agent shares with no other. */
  readonly group?: string | undefined;
  /** The variable that carries a token. */
  readonly env: string;
  /** Where the agent keeps its own login. */
  readonly login?: OwnLogin | undefined;
}

/** A file with an agent's own login, which its program keeps fresh. */
export interface OwnLogin {
  /** The directory, below `~`, that has the file if `homeEnv` is not set. */
  readonly home: string;
  readonly homeEnv?: string;
  readonly file: string;
  /** Where it has the token; absent if that is not known. */
  readonly token?: TokenPaths;
}

/** Where a vendor's file has its login. */
export interface TokenPaths {
  readonly accessToken: JsonPath;
  readonly refreshToken?: JsonPath;
  /** Milliseconds since the epoch; null or absent: it has no end. */
  readonly expiresAt?: JsonPath;
}
