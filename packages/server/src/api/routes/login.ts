import { ok } from "@drover/core";
import { z } from "zod";
import { clearCookie, setCookie } from "../auth.ts";
import { route } from "../route.ts";
import { loginSchema } from "../schemas.ts";

export const loginRoutes = [
  route({
    method: "POST",
    path: "/api/login",
    summary: "Log a browser in with a one-time code or the token",
    body: loginSchema,
    status: 204,
    isPublic: true,
    always: true,
    handle: async ({ body, response }, { auth, port }) => {
      const cookie = await auth.open(body);
      if (!cookie.ok) return cookie;
      response.setHeader("Set-Cookie", setCookie(port(), cookie.value));
      return ok(undefined);
    },
  }),
  route({
    method: "POST",
    path: "/api/logout",
    summary: "End this browser's login and everything it has open",
    status: 204,
    always: true,
    handle: async ({ right, response }, { auth, port, streams }) => {
      if (right.by === "cookie") {
        await auth.close(right.login);
        streams.endLogin(right.login);
        response.setHeader("Set-Cookie", clearCookie(port()));
      }
      return ok(undefined);
    },
  }),
  route({
    method: "POST",
    path: "/api/login/codes",
    summary: "A one-time login code, good for ten minutes, and the link that uses it",
    status: 201,
    response: z.object({ code: z.string(), login: z.string() }),
    always: true,
    handle: (_call, { auth, url }) => {
      const code = auth.mintLoginCode();
      return ok({ code, login: `${url()}/login#${code}` });
    },
  }),
];
