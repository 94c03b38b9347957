import type { Target } from "./server.ts";

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Ask {
  body?: unknown;
  headers?: Record<string, string>;
}

type Json = Record<string, unknown>;

export interface Api {
  /** Any request, any response: JSON decoded, otherwise the text. Adds only the bearer token. */
  ask<T = Json>(method: string, path: string, ask?: Ask): Promise<Answer<T>>;
  /** The body of a 2xx response; anything else throws with the server's message. */
  get<T = Json>(path: string): Promise<T>;
  post<T = Json>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  patch<T = Json>(path: string, body: unknown): Promise<T>;
  delete<T = Json>(path: string): Promise<T>;
}

/** The header for the token; none for a target without one. */
export const bearer = ({ token }: Target): Record<string, string> =>
  token === "" ? {} : { authorization: `Bearer ${token}` };

/** A client of one server's HTTP API. */
export function api(target: Target): Api {
  const ask = async <T>(method: string, path: string, { body, headers }: Ask = {}): Promise<Answer<T>> => {
    const response = await fetch(new URL(path, target.url), {
      method,
      headers: {
        ...bearer(target),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  };
  const ok = async <T>(method: string, path: string, given?: Ask): Promise<T> => {
    const { status, body } = await ask<T>(method, path, given);
    if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ask,
    get: (path) => ok("GET", path),
    post: (path, body, headers) => ok("POST", path, { body, ...(headers ? { headers } : {}) }),
    patch: (path, body) => ok("PATCH", path, { body }),
    delete: (path) => ok("DELETE", path),
  };
}
