import { type ComponentType, lazy } from "react";

const loads: (() => Promise<unknown>)[] = [];

/** A view whose code the page does not wait for. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  loads.push(load);
  return lazy(async () => ({ default: await load().catch(reloadIfOutdated) }));
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
 * After an upgrade the server has other files. Its page has the view then, and is loaded in place of this one; a page
 * that lacks a file of its own, or a server that does not answer, is reported to whoever wanted the view.
 */
async function reloadIfOutdated(cause: unknown): Promise<never> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]");
  const answer = await fetch("/");
  const isOutdated = own && answer.ok && !(await answer.text()).includes(new URL(own.src).pathname);
  if (!isOutdated) throw cause;
  location.reload();
  // Nothing is drawn of a page that is about to go.
  return new Promise(() => undefined);
}
