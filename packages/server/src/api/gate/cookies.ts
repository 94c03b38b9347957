import { loginLifeMs } from "./logins.ts";

/** Cookies are shared by all ports of a host, so ours names its port. */
export const cookieName = (port: number) => `drover_${port}`;

const attributes = "HttpOnly; SameSite=Strict";

export function setCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; ${attributes}; Path=/; Max-Age=${loginLifeMs / 1000}`;
}

export function clearCookie(port: number, path = "/"): string {
  return `${cookieName(port)}=; ${attributes}; Path=${path}; Max-Age=0`;
}

/**
 * The cookies set by a login. A page on another port can set cookies with our name for paths below ours, which a
 * browser would keep sending: those that came with the login are cleared.
 */
export function loginCookies(port: number, value: string, header: string | undefined): string[] {
  const isAlone = cookiesNamed(header, port).length === 0;
  const strays = isAlone ? [] : ["/api", "/api/", "/api/login", "/api/login/"];
  return [setCookie(port, value), ...strays.map((path) => clearCookie(port, path))];
}

/** Every value in a Cookie header that could be ours. Any program on this host can add others. */
export function loginCookieValues(header: string | undefined, port: number): string[] {
  return cookiesNamed(header, port).filter((value) => /^[\w-]{43}$/.test(value));
}

function cookiesNamed(header: string | undefined, port: number): string[] {
  const start = `${cookieName(port)}=`;
  return (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start))
    .map((part) => part.slice(start.length));
}
