import { err, ok, type Result } from "@drover/core";
import { tabStorage } from "../storage/storage.ts";
import { clientId } from "./client-id.ts";
import { readClock } from "./clock.ts";
import { forgetLoginKey, loginKey } from "./login-key.ts";
import { offline, type Problem } from "./wire.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A request to our own origin with the login's cookie and key. An expired login leads to the login page. */
export async function api<T>(method: Method, path: string, body?: unknown): Promise<Result<T, Problem>> {
  const asked = await ask(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!asked.ok) return asked;
  return ok((await asked.value.json().catch(() => undefined)) as T);
}

/** Downloads a text of any length in pieces. */
export async function download(
  path: string,
  { onText, signal }: { onText: (text: string) => void; signal: AbortSignal },
): Promise<Result<true, Problem>> {
  const asked = await ask(path, { signal });
  if (!asked.ok) return asked;
  const decoder = new TextDecoder();
  try {
    const reader = asked.value.body?.getReader();
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      onText(decoder.decode(piece.value, { stream: true }));
    }
  } catch {
    return err(offline);
  }
  onText(decoder.decode());
  return ok(true);
}

/** Saves a file. A plain link could not carry the login's key. */
export async function saveFile(path: string, name: string): Promise<Result<true, Problem>> {
  const asked = await ask(path, {});
  if (!asked.ok) return asked;
  const file = await asked.value.blob().catch(() => undefined);
  if (!file) return err(offline);
  saveBlob(file, name);
  return ok(true);
}

/** Saves a text that the page has. */
export const saveText = (text: string, name: string): void => saveBlob(new Blob([text]), name);

function saveBlob(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keepFileMs);
}

/** The browser may ask where to save before it reads the file. */
const keepFileMs = 60_000;

export async function ask(path: string, init: RequestInit): Promise<Result<Response, Problem>> {
  let response: Response;
  const askedAt = Date.now();
  const headers = { "X-Client-Id": clientId, "X-Drover-Key": loginKey() ?? "", ...init.headers };
  try {
    response = await fetch(path, { ...init, headers });
  } catch {
    return err(offline);
  }
  readClock(response, askedAt);
  if (response.status === 401) {
    goToLogin();
    return err({ code: "UNAUTHENTICATED", message: "You're logged out. Log in again." });
  }
  if (response.ok) return ok(response);
  return err(problemOf(await response.json().catch(() => undefined), response.status));
}

/** Tells the login page that the login has ended. */
const endedKey = "drover:login-ended";

/** Opens the login page, which returns to this address afterwards. */
export function goToLogin(): void {
  tabStorage.write(endedKey, "yes");
  location.replace(`/login${location.hash}`);
}

export async function logOut(): Promise<Result<unknown, Problem>> {
  const answer = await api("POST", "/api/logout");
  if (answer.ok) {
    forgetLoginKey();
    location.replace("/login");
  }
  return answer;
}

function problemOf(answer: unknown, status: number): Problem {
  const { error, code, ...facts } = (answer ?? {}) as { error?: unknown; code?: unknown };
  return {
    ...facts,
    code: typeof code === "string" ? code : `HTTP_${status}`,
    message: typeof error === "string" ? error : `Drover returned status ${status}. Try again.`,
  };
}
