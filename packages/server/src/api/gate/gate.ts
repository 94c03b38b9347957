import type { IncomingMessage } from "node:http";
import type { Rejection } from "@drover/core";
import type { Auth } from "./auth.ts";

const noRight = "Log in, or send Authorization: Bearer with the token from the server's home";
const noKey =
  "A browser's cookie alone opens only the page; the rest also needs the login's key in X-Drover-Key. Open it from " +
  "Drover's page, logging in again if it asks, or send Authorization: Bearer with the token from the server's home";

/** What admits a request. `public` has no credentials and reaches only what is open to everyone. */
export type Right =
  | { readonly by: "bearer" }
  | { readonly by: "cookie"; readonly login: string }
  /** A login's cookie without its key, which other ports of the host receive too: for the page's own files. */
  | { readonly by: "page" }
  | { readonly by: "public" };

export type Verdict =
  /** `renew` is the value of a cookie to set again, so that it lasts as long as its login. */
  | { readonly admitted: true; readonly right: Right; readonly renew?: string }
  /** `redirect` is where a person's browser is sent instead of showing the rejection. */
  | { readonly admitted: false; readonly rejection: Rejection; readonly redirect?: string };

export interface GateOptions {
  readonly auth: Auth;
  readonly port: number;
  readonly bind: string;
  readonly hosts: readonly string[];
  readonly isPublic: (method: string, path: string) => boolean;
  /** The page's own files, for which a login's cookie is enough. */
  readonly isPageFile: (method: string, path: string) => boolean;
}

/** The path exactly as it was sent, without the query: gate and router judge the same string. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "").split("?", 1)[0] ?? "";
}

/**
 * The one authenticator, below every transport: Host, then Origin, then the right. Only the head of a request is read
 * before it has passed.
 */
export class Gate {
  private readonly options: GateOptions;
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;

  constructor(options: GateOptions) {
    this.options = options;
    const { hosts, origins } = ownAddresses(options);
    this.hosts = hosts;
    this.origins = origins;
  }

  judge(request: IncomingMessage, isUpgrade: boolean): Verdict {
    return this.wrongHost(request) ?? this.foreignOrigin(request) ?? this.right(request, isUpgrade);
  }

  private wrongHost(request: IncomingMessage): Verdict | undefined {
    const hosts = request.headersDistinct["host"] ?? [];
    const host = hosts[0]?.toLowerCase() ?? "";
    // A target with its own host is meant for a proxy.
    const isForUs =
      hosts.length === 1 && this.hosts.has(host) && !/^[a-z][a-z0-9+.-]*:/i.test(request.url ?? "");
    if (isForUs) return undefined;
    const named = host ? `This server is not ${host}` : "The request does not name a host";
    return refused("WRONG_HOST", `${named}; server.hosts lists the names it may be reached by`);
  }

  private foreignOrigin(request: IncomingMessage): Verdict | undefined {
    const { origin } = request.headers;
    return origin === undefined || this.origins.has(origin.toLowerCase()) ? undefined : foreign(origin);
  }

  private right(request: IncomingMessage, isUpgrade: boolean): Verdict {
    const { auth, port, isPublic, isPageFile } = this.options;
    const method = request.method ?? "";
    const path = pathOf(request);
    if (!isUpgrade && isPublic(method, path)) return { admitted: true, right: { by: "public" } };
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const token = /^Bearer ([^ ]+)$/i.exec(authorization)?.[1];
      if (token !== undefined && auth.isToken(token)) return { admitted: true, right: { by: "bearer" } };
      return refused(
        "UNAUTHENTICATED",
        "Invalid token; use the one in the file `token` in the server's home",
      );
    }
    const login = auth.loginOf(request, port, isUpgrade);
    const wrongWay = login && wrongWayByCookie(request, isUpgrade);
    if (wrongWay) return wrongWay;
    if (login?.hasKey) {
      const renew = auth.logins.use(login.id) ? { renew: login.cookie } : {};
      return { admitted: true, right: { by: "cookie", login: login.id }, ...renew };
    }
    if (login && !isUpgrade && isPageFile(method, path)) {
      return { admitted: true, right: { by: "page" } };
    }
    const isPerson = !isUpgrade && isNavigation(request, path);
    // The page knows the key and can show the API's description; an address typed into the browser does not.
    const redirect = login && path === "/docs" ? "/login#/docs" : "/login";
    const rejection = { code: "UNAUTHENTICATED" as const, message: login ? noKey : noRight };
    return { admitted: false, rejection, ...(isPerson ? { redirect } : {}) };
  }
}

/**
 * A browser sends its cookie with requests of any origin: changes must come from our own page, and reads must not be
 * requested by another site.
 */
function wrongWayByCookie(request: IncomingMessage, isUpgrade: boolean): Verdict | undefined {
  const { origin } = request.headers;
  const onlyReads = !isUpgrade && (request.method === "GET" || request.method === "HEAD");
  if (!onlyReads) return origin === undefined ? foreign("an unnamed page") : undefined;
  const site = request.headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  return isOwn ? undefined : foreign(`another page (${site})`);
}

/** A person whose browser opens a page, as opposed to a program that wants data. */
function isNavigation(request: IncomingMessage, path: string): boolean {
  const wantsPage = request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
  return wantsPage && !/^\/(api|trpc|mcp|metrics)(\/|$)/.test(path);
}

const refused = (code: Rejection["code"], message: string): Verdict => ({
  admitted: false,
  rejection: { code, message },
});

const foreign = (origin: string) =>
  refused(
    "FOREIGN_ORIGIN",
    `A request from ${origin} is refused: only Drover's own page may send it. Open its address directly; a program sends the token and no Origin`,
  );

/** Every Host we answer to and every Origin our own page can have. */
function ownAddresses({ port, bind, hosts }: GateOptions): { hosts: Set<string>; origins: Set<string> } {
  const bound = bind.includes(":") ? `[${bind}]` : bind;
  const own = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase()].map((name) => `${name}:${port}`);
  if (port === 80) own.push(...own.map((name) => name.slice(0, -":80".length)));
  const added = hosts
    .map((name) => name.toLowerCase())
    .flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  return {
    hosts: new Set([...own, ...added]),
    // Names added by configuration may be those of a TLS proxy in front of us.
    origins: new Set([
      ...[...own, ...added].map((name) => `http://${name}`),
      ...added.map((name) => `https://${name}`),
    ]),
  };
}
