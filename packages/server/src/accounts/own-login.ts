import { join } from "node:path";
import { type OwnLogin, readToken, tokenState } from "@drover/core";
import type { FoundLogin } from "../ports.ts";
import { readRegular } from "../process/regular-file.ts";

const maxBytes = 1024 * 1024;

/** The agent's own login, if there is one. `env` is the environment its process would get. */
export async function findOwnLogin(
  login: OwnLogin,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundLogin | undefined> {
  const home = (login.homeEnv && env[login.homeEnv]) || login.home.replace(/^~/, env["HOME"] ?? "~");
  const path = join(home, login.file);
  const content = await readJson(path);
  if (typeof content !== "object" || content === null) return undefined;
  if (!login.token) return { path, isExpired: false };
  const token = readToken(content, login.token);
  if (!token) return undefined;
  const { expiresAt } = token;
  const isExpired = tokenState(token, Date.now()) === "expired";
  return { path, ...(expiresAt === undefined ? {} : { expiresAt }), isExpired };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readRegular(path, maxBytes));
  } catch {
    // No file, or none that an agent wrote.
    return undefined;
  }
}
