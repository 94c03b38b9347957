import type { Browser, Page, Route } from "playwright-core";
import type { Server } from "../../test/kit/server.ts";
import { root } from "../root.ts";

export interface Eye extends AsyncDisposable {
  readonly page: Page;
  readonly server: Server;
  /** Opens an address of the page and waits until it is rendered. */
  go(address: string): Promise<void>;
}

interface Kind {
  readonly scheme: "light" | "dark";
  readonly device: "desktop" | "phone";
}

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } } as const;

/** Screenshots must not show the machine they were taken on. */
const shownAs = (home: string): readonly (readonly [path: string, shown: string])[] => [
  [home, "/home/ada"],
  [process.execPath, "/usr/bin/node"],
  [root, "/opt/drover"],
];

/** A logged-in page of this size and color scheme. */
export async function look(browser: Browser, server: Server, { scheme, device }: Kind): Promise<Eye> {
  const context = await browser.newContext({
    viewport: sizes[device],
    colorScheme: scheme,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  const rename = (text: string) =>
    shownAs(server.home).reduce((now, [path, shown]) => now.replaceAll(path, shown), text);
  // The page asks about the paths it was shown.
  const realUrl = (url: string) =>
    shownAs(server.home).reduce(
      (now, [path, shown]) => now.replaceAll(encodeURIComponent(shown), encodeURIComponent(path)),
      url,
    );
  // Requests of a closed page fail, and their answers are not needed.
  await context.route("**/api/**", (route) => answer(route, { rename, realUrl }).catch(() => undefined));
  await context.routeWebSocket(/\/ws/, (socket) => {
    const upstream = socket.connectToServer();
    socket.onMessage((message) => upstream.send(message));
    upstream.onMessage((message) => socket.send(typeof message === "string" ? rename(message) : message));
  });
  const page = await context.newPage();
  const code = await fetch(`${server.url}/api/login/codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}` },
  });
  const { login } = (await code.json()) as { login: string };
  await page.goto(login);
  await page.waitForURL((url) => url.pathname === "/");
  return {
    page,
    server,
    go: async (address) => {
      await page.goto("about:blank");
      await page.goto(`${server.url}/${address}`);
      await page.waitForLoadState("networkidle");
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

interface Disguise {
  readonly rename: (text: string) => string;
  readonly realUrl: (url: string) => string;
}

async function answer(route: Route, { rename, realUrl }: Disguise): Promise<void> {
  // The server may close an idle connection at the moment it is reused.
  const response = await route.fetch({ maxRetries: 3, url: realUrl(route.request().url()) });
  const body = rename(await response.text());
  const headers = response.headers();
  // The length of a raw log changes when paths in it are renamed.
  if (body !== "" && headers["x-log-bytes"]) headers["x-log-bytes"] = String(Buffer.byteLength(body));
  await route.fulfill({ response, headers, body });
}
