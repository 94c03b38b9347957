import { reject } from "@drover/core";
import { type Route, route } from "../http/route.ts";

/** Addresses that the page routes in the browser: all of them get the same document. */
const clientPaths = ["/", "/sessions", "/sessions/*", "/inbox", "/agents", "/projects", "/settings"];

const clientRoute = (path: string): Route =>
  route({
    method: "GET",
    path,
    admission: "anyone",
    summary: "The page",
    produces: "text/html",
    isPageFile: true,
    handle: (_call, { pages }) => pages.page("index.html"),
  });

export const pageRoutes = [
  ...clientPaths.map(clientRoute),
  route({
    method: "GET",
    path: "/login",
    admission: "anyone",
    summary: "The login page",
    produces: "text/html",
    isPublic: true,
    handle: (_call, { pages }) => pages.page("login.html"),
  }),
  route({
    method: "GET",
    path: "/assets/:file",
    admission: "anyone",
    summary: "A file of the page; those of the login page are public",
    produces: "application/octet-stream",
    isPageFile: true,
    isPublic: (params) => /^login-[\w.-]+$/.test(params["file"] ?? ""),
    handle: async ({ params }, { pages }) =>
      (await pages.asset(params.file)) ??
      reject("NOT_FOUND", `There is no file ${params.file}; load the page again`, { what: "file" }),
  }),
];
