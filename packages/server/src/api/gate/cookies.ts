import { loginLifeMs } from "./logins.ts";

/** Cookies are shared by all ports of a host: ours says which port it is for. */
export const cookieName = (port: number) => `drover_${port}`;

const attributes = "HttpOnly; SameSite=Strict";

export function setCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; ${attributes}; Path=/; Max-Age=${loginLifeMs / 1000}`;
}

export function clearCookie(port: number, path = "/"): string {
  return `${cookieName(port)}=; ${attributes}; Path=${path}; Max-Age=0`;
}

/**
 * What a login answers with. A page on another port can set cookies of our name for paths below ours, which a browser
 * would send along for ever: those that came with the login are taken back.
 */
export function loginCookies(port: number, value: string, header: string | undefined): string[] {
  const isAlone = cookiesNamed(header, port).length === 0;
  const strays = isAlone ? [] : ["/api", "/api/", "/api/login", "/api/login/"];
  return [setCookie(port, value), ...strays.map((path) => clearCookie(port, path))];
}

/** Every value in a Cookie header that could be one of ours. Any program on this host can put others beside it. */
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
