// What a logged-in browser has: a cookie, and the key that its page stores.
import { randomBytes } from "node:crypto";
import type { BrowserContextOptions } from "playwright-core";
import type { Target } from "./server.ts";

export interface Login {
  readonly cookie: { readonly name: string; readonly value: string };
  readonly key: string;
  /** The headers of the page's own requests. */
  readonly headers: { readonly cookie: string; readonly "x-drover-key": string };
  /** The protocols its WebSocket offers. */
  readonly protocols: readonly string[];
}

export type StorageState = Exclude<NonNullable<BrowserContextOptions["storageState"]>, string>;

export const newLoginKey = () => randomBytes(32).toString("hex");

/** Logs in with the token, as a browser does. */
export async function logInByToken({ url, token }: Target): Promise<Login> {
  const key = newLoginKey();
  const answer = await fetch(new URL("/api/login", url), {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ token, key }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  const [name = "", value = ""] = cookie.split("=");
  if (answer.status !== 204) throw new Error(`The login was answered with ${answer.status}.`);
  return {
    cookie: { name, value },
    key,
    headers: { cookie, "x-drover-key": key },
    protocols: ["drover", `key.${key}`],
  };
}

/** A browser context with this login that skips the login page: `browser.newContext({ storageState })`. */
export function loggedInState({
  url,
  cookie,
  key,
}: Pick<Login, "cookie" | "key"> & { url: string }): StorageState {
  const { hostname } = new URL(url);
  const attributes = { path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" as const };
  return {
    cookies: [{ ...cookie, ...attributes, domain: hostname }],
    origins: [{ origin: url, localStorage: [{ name: "drover:key", value: key }] }],
  };
}
