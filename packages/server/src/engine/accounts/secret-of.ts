import {
  type AddAccount,
  ok,
  type Preset,
  type Rejection,
  type Result,
  readToken,
  reject,
} from "@drover/core";
import type { AccountRow, AccountSecret } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";

/** What an account is added with: what the vault keeps, and what the store does. */
export interface Login {
  readonly secret?: AccountSecret;
  readonly row: Pick<AccountRow, "kind" | "env" | "path" | "expiresAt" | "refusal">;
}

/** The login that a person adds, checked as far as that works without asking the vendor. */
export async function loginFrom(
  deps: EngineDeps,
  preset: Preset,
  { token, env, path }: Pick<AddAccount, "token" | "env" | "path">,
): Promise<Result<Login, Rejection>> {
  if ([token, env, path].filter((one) => one !== undefined).length !== 1) {
    return wrong("token", "give exactly one of token, env and path");
  }
  if (token !== undefined) return tokenLogin(preset, token.trim());
  if (path !== undefined) return ownLogin(deps, preset, path);
  const names = Object.keys(env ?? {});
  if (names.length === 0) return wrong("env", "name at least one variable");
  return ok({ secret: { env }, row: { kind: "env", env: names } });
}

/** A token as vendors print it, or the file in which their program keeps it. */
function tokenLogin({ name, account }: Preset, text: string): Result<Login, Rejection> {
  if (!text.startsWith("{")) {
    if (text === "" || /\s/.test(text)) return wrong("token", "a token is one word");
    return ok({ secret: { token: text }, row: { kind: "token" } });
  }
  const paths = account?.login?.token;
  const token = paths && readToken(jsonIn(text), paths);
  if (!token) return wrong("token", `this is not the login file of ${name}; give its token alone`);
  const { accessToken, refreshToken, expiresAt } = token;
  return ok({
    secret: { token: accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) },
    row: { kind: "token", ...(expiresAt === undefined ? {} : { expiresAt }) },
  });
}

async function ownLogin(deps: EngineDeps, preset: Preset, path: string): Promise<Result<Login, Rejection>> {
  const found = await deps.ownLogin(preset);
  if (found?.path !== path) {
    return wrong("path", `${preset.name} has no login there; \`drover account discover\` lists them`);
  }
  const refusal = found.isExpired ? { refusal: `The login in ${path} has expired` } : {};
  return ok({ row: { kind: "login", path, ...refusal } });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wrong = (path: string, message: string): Result<never, Rejection> =>
  reject("BAD_REQUEST", `${path}: ${message}`, { issues: [{ path, message }] });
