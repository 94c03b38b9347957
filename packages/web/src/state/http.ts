import { err, ok, type Result } from "@drover/core";
import { clientId } from "./client-id.ts";
import { offline, type Problem } from "./wire.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One request to our own origin; the cookie says who we are. A right that has ended leads to the login page. */
export async function api<T>(method: Method, path: string, body?: unknown): Promise<Result<T, Problem>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        "X-Client-Id": clientId,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    return err(offline);
  }
  if (response.status === 401) {
    goToLogin();
    return err({ code: "UNAUTHENTICATED", message: "You are logged out. Log in again." });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return ok(answer as T);
  return err(problemOf(answer, response.status));
}

/** The address waits behind the login: the login page leads back to it. */
export function goToLogin(): void {
  location.replace(`/login${location.hash}`);
}

function problemOf(answer: unknown, status: number): Problem {
  const { error, code, ...facts } = (answer ?? {}) as { error?: unknown; code?: unknown };
  return {
    ...facts,
    code: typeof code === "string" ? code : `HTTP_${status}`,
    message: typeof error === "string" ? error : `Drover answered with status ${status}. Try again.`,
  };
}
