import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Answer } from "./answer.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/** Only our own origin is ever requested, run or framed; the icon is a data: URL. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

const notBuilt = `Drover is running, but its page is not built here.
In a checkout: npm start builds it. Everything else works: drover --help, and GET /docs with the token for the API.
`;

/**
 * The files of the built page. Only names found by listing its directories are ever opened, so no request can reach
 * other files.
 */
export class Pages {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async page(name: "index.html" | "login.html"): Promise<Answer> {
    const body = await readFile(join(this.directory, name)).catch(() => undefined);
    if (body) return { status: 200, headers: pageHeaders, body };
    return {
      status: 200,
      headers: { ...pageHeaders, "Content-Type": "text/plain; charset=utf-8" },
      body: notBuilt,
    };
  }

  /** A file of assets/: its name contains a hash of its content, so it never changes. */
  async asset(name: string): Promise<Answer | undefined> {
    const directory = join(this.directory, "assets");
    const listed = await readdir(directory, { withFileTypes: true }).catch(() => []);
    if (!listed.some((entry) => entry.isFile() && entry.name === name)) return undefined;
    return {
      status: 200,
      headers: {
        "Content-Type": mediaTypes[extname(name)] ?? "application/octet-stream",
        "Cache-Control": "private, max-age=31536000, immutable",
        "Cross-Origin-Resource-Policy": "same-origin",
      },
      body: await readFile(join(directory, name)),
    };
  }
}
