import { ok, type Rejection, type Result, reject } from "@drover/core";
// Hono's router alone: bodies, streams and errors are written to Node's own objects, and its server adapter would
// take a quarter of the time a start may take.
import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route.ts";

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path exactly as it was sent: no decoding, no normalizing, nothing the gate did not see. */
export class Router {
  private readonly routes = new TrieRouter<Route>();
  private readonly methods: readonly string[];

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.routes.add(route.method, route.path, route);
    this.methods = [...new Set(routes.map((route) => route.method))];
  }

  find(method: string, path: string): Result<Match, Rejection> {
    const match = this.match(method === "HEAD" ? "GET" : method, path);
    if (match) return ok(match);
    const allowed = this.methods.filter((other) => this.match(other, path));
    const advice = allowed.length > 0 ? `it takes ${allowed.join(", ")}` : "see GET /api/openapi.json";
    return reject("NOT_FOUND", `There is no ${method} ${path}; ${advice}`, { what: "route" });
  }

  /** Whether this is open to everyone who passes Host and Origin. */
  isPublic(method: string, path: string): boolean {
    const found = this.find(method, path);
    return found.ok && isPublic(found.value);
  }

  /** Whether this is a file of the page itself, which contains no personal data. */
  isPageFile(method: string, path: string): boolean {
    const found = this.find(method, path);
    return found.ok && found.value.route.isPageFile === true;
  }

  private match(method: string, path: string): Match | undefined {
    const [[handler] = []] = this.routes.match(method, path);
    return handler && { route: handler[0], params: handler[1] as Record<string, string> };
  }
}

export function isPublic({ route, params }: Match): boolean {
  return typeof route.isPublic === "function" ? route.isPublic(params) : route.isPublic === true;
}
