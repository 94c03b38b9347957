import { type ComponentType, lazy } from "react";

const loads: (() => Promise<unknown>)[] = [];

/** A view whose code the page does not wait for. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  loads.push(load);
  return lazy(async () => ({ default: await load().catch(() => loadAgain(load)) }));
}

/** Fetches every such view: when the server is away, or has become another version, it would be too late. */
export async function fetchViews(): Promise<void> {
  await idle();
  // A fetched view may have views of its own.
  for (let fetched = 0; fetched < loads.length; ) {
    const next = loads.slice(fetched);
    fetched = loads.length;
    // One that fails says so where it is looked at.
    await Promise.allSettled(next.map((load) => load()));
  }
}

/** A moment in which nobody waits for anything to be drawn. Safari does not tell. */
const idle = () =>
  new Promise<unknown>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve, { timeout: 1_000 });
    else setTimeout(resolve, 50);
  });

/**
 * The code has not come. A server that is away is waited for, as the bar above says. After an upgrade it has other files:
 * its own page is loaded in place of this one. Whatever else is wrong is told to whoever wanted the view.
 */
async function loadAgain<View>(load: () => Promise<View>): Promise<View> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]");
  const answer = await untilAnswered();
  const isOutdated = own && answer.ok && !(await answer.text()).includes(new URL(own.src).pathname);
  if (!isOutdated) return load();
  location.reload();
  // Nothing is drawn of a page that is about to go.
  return new Promise(() => undefined);
}

const retryMs = 500;

async function untilAnswered(): Promise<Response> {
  for (;;) {
    const answer = await fetch("/").catch(() => undefined);
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
