import { deletedSchema, loginListSchema, loginSchema, ok, reject } from "@drover/core";
import { z } from "zod";
import { browserLabel } from "../gate/browser-label.ts";
import { clearCookie, loginCookies } from "../gate/cookies.ts";
import type { Right } from "../gate/gate.ts";
import { route } from "../http/route.ts";

const ownLogin = (right: Right) => (right.by === "cookie" ? right.login : undefined);

export const loginRoutes = [
  route({
    method: "POST",
    path: "/api/login",
    admission: "person",
    summary: "Log a browser in with a one-time code or the token, and a key it has generated",
    body: loginSchema,
    status: 204,
    isPublic: true,
    always: true,
    guard: ({ key: _, ...secret }, { auth }) => auth.refusalOf(secret),
    handle: async ({ body: { key, ...secret }, request, response }, { auth, port }) => {
      const cookie = await auth.open(secret, { key, label: browserLabel(request.headers["user-agent"]) });
      if (!cookie.ok) return cookie;
      response.setHeader("Set-Cookie", loginCookies(port(), cookie.value, request.headers.cookie));
      return ok(undefined);
    },
  }),
  route({
    method: "POST",
    path: "/api/logout",
    admission: "person",
    summary: "End this browser's login and everything it has open",
    status: 204,
    repeatable: true,
    always: true,
    handle: async ({ right, response }, { auth, port }) => {
      if (right.by === "cookie") {
        await auth.logins.revoke(right.login);
        response.setHeader("Set-Cookie", clearCookie(port()));
      }
      return ok(undefined);
    },
  }),
  route({
    method: "POST",
    path: "/api/login/codes",
    admission: "person",
    summary: "A one-time login code, good for ten minutes, and the link that uses it",
    status: 201,
    response: z.object({ code: z.string(), login: z.string() }),
    always: true,
    handle: (_call, { auth, url }) => {
      const code = auth.mintLoginCode();
      return ok({ code, login: `${url()}/login#${code}` });
    },
  }),
  route({
    method: "GET",
    path: "/api/logins",
    summary: "The browsers that are logged in, most recently used first",
    admission: "person",
    response: loginListSchema,
    handle: ({ right }, { auth }) => {
      const own = ownLogin(right);
      const logins = auth.logins.list().map(({ id, label, createdAt, lastUsedAt }) => ({
        ...{ id, label, createdAt, lastUsedAt },
        ...(id === own ? { current: true } : {}),
      }));
      return ok({ logins });
    },
  }),
  route({
    method: "DELETE",
    path: "/api/logins",
    summary: "Revoke every login but the caller's own, and all unused login codes",
    always: true,
    admission: "person",
    response: z.object({ revoked: z.number() }),
    handle: async ({ right }, { auth }) => ok({ revoked: await auth.revokeAllBut(ownLogin(right)) }),
  }),
  route({
    method: "DELETE",
    path: "/api/logins/:loginId",
    summary: "Revoke a login and close everything it has open",
    always: true,
    admission: "person",
    response: deletedSchema,
    handle: async ({ params: { loginId } }, { auth }) =>
      (await auth.logins.revoke(loginId))
        ? ok({ deleted: true })
        : reject("NOT_FOUND", `There is no login ${loginId}; GET /api/logins lists them`, { what: "login" }),
  }),
];
