// Pages for tests. Starting a renderer and compiling the page costs more processor time than most tests of it, so the
// pages of a browser share one renderer. They share nothing else: each is a new page, without the cookies, permissions
// or stored data of the previous one.
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import type { StorageState } from "./login.ts";

/** The screen, and whether it is animated. */
type Screen = Pick<BrowserContextOptions, "viewport" | "reducedMotion">;

export interface PageOptions extends Screen {
  /** What the browser has stored for the server. Default: nothing, as before the first visit. */
  readonly state?: StorageState;
  /** The test controls the clock, which Playwright does for a whole context. */
  readonly ownClock?: boolean;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** The first address, where the page finds the stored data. */
  goTo(address: string): Promise<void>;
}

/** A context whose pages share the renderer of one that stays open. */
interface SharedContext {
  readonly context: BrowserContext;
  /** On the same site as every server of the tests; pages it opens run in its renderer. */
  readonly opener: Page;
  readonly devtools: CDPSession;
  /** The screen of the test that uses it, if any. */
  screen?: Screen | undefined;
}

/** What a context cannot undo; a test that needs one of these has to open its own. */
const lasting = [
  "addInitScript",
  "close",
  "exposeBinding",
  "exposeFunction",
  "route",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setOffline",
];

function refuse(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const get = () => {
      throw new Error(`"${name}" would outlive this test: open a separate context.`);
    };
    Object.defineProperty(owner, name, { get });
  }
}

const contexts = new WeakMap<Browser, Promise<SharedContext>>();

async function startContext(browser: Browser, url: string): Promise<SharedContext> {
  const context = await browser.newContext();
  const opener = await context.newPage();
  // Any small response from the site will do.
  await opener.goto(`${url}/api/health`);
  const shared: SharedContext = { context, opener, devtools: await context.newCDPSession(opener) };
  refuse(context, lasting);
  // One at a time: a popup does not say which call opened it.
  let last: Promise<unknown> = Promise.resolve();
  const newPage = () => {
    const page = last.then(() => openFrom(opener, shared.screen));
    last = page.catch(() => undefined);
    return page;
  };
  Object.defineProperty(context, "newPage", { value: newPage });
  return shared;
}

/** A new page in the renderer of another one, which it cannot reach. */
async function openFrom(opener: Page, { viewport, reducedMotion }: Screen = {}): Promise<Page> {
  const [page] = await Promise.all([
    opener.waitForEvent("popup"),
    opener.evaluate(() => {
      const opened = window.open("about:blank");
      if (opened) opened.opener = null;
    }),
  ]);
  if (viewport) await page.setViewportSize(viewport);
  if (reducedMotion) await page.emulateMedia({ reducedMotion });
  return page;
}

function sharedContext(browser: Browser, url: string): Promise<SharedContext> {
  const running = contexts.get(browser);
  if (running) return running;
  const started = startContext(browser, url);
  contexts.set(browser, started);
  // A page that did not start, or whose renderer crashed, is of no use to the next test.
  const forget = () => void contexts.delete(browser);
  started.then(({ opener }) => opener.once("crash", forget), forget);
  return started;
}

async function openShared(shared: SharedContext, url: string, state?: StorageState): Promise<OpenedPage> {
  const { context, opener, devtools } = shared;
  if (state) await context.addCookies(state.cookies);
  const page = await context.newPage();
  refuse(page, ["clock"]);
  const clear = async () => {
    await Promise.all(context.pages().map((each) => each !== opener && each.close()));
    await context.clearCookies();
    await context.clearPermissions();
    // Cookies belong to a host, everything else to a host and its port; a later server may get the same port.
    await devtools.send("Storage.clearDataForOrigin", { origin: url, storageTypes: "all" });
    shared.screen = undefined;
  };
  const goTo = async (address: string) => {
    // For the first document only: the page's own changes survive a reload.
    const seed = await page.addInitScript((items) => {
      for (const { name, value } of items) localStorage.setItem(name, value);
    }, state?.origins[0]?.localStorage ?? []);
    await page.goto(address);
    await seed.dispose();
  };
  return { page, goTo, [Symbol.asyncDispose]: clear };
}

/** A new page for a server at `url`. */
export async function openPage(browser: Browser, url: string, options: PageOptions): Promise<OpenedPage> {
  const { state, ownClock = false, ...screen } = options;
  const shared = ownClock ? undefined : await sharedContext(browser, url);
  // Two pages that are open at the same time are two people, each with their own cookies.
  if (shared && !shared.screen) {
    shared.screen = screen;
    return openShared(shared, url, state);
  }
  const context = await browser.newContext({ ...screen, ...(state ? { storageState: state } : {}) });
  const page = await context.newPage();
  const goTo = async (address: string) => void (await page.goto(address));
  return { page, goTo, [Symbol.asyncDispose]: () => context.close() };
}
