import { type ComponentType, createElement, useEffect, useState } from "react";

const loads: (() => Promise<unknown>)[] = [];

/**
 * A view whose code the page does not wait for; nothing is drawn before it is there. It is not React's `lazy`, whose
 * boundary waits 300 ms once it has drawn nothing, even for code that was fetched ahead.
 */
export function lazily<Props extends object>(
  fetchView: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let fetched: ComponentType<Props> | undefined;
  const load = async () => {
    fetched ??= await fetchView();
    return fetched;
  };
  loads.push(load);
  return function Lazily(props) {
    const [View, setView] = useState(() => fetched);
    useEffect(() => {
      if (View) return;
      load()
        .catch(() => loadAgain(load))
        .then(
          (view) => setView(() => view),
          // Thrown where it is drawn, so that the page's boundary tells of it.
          (error: unknown) =>
            setView(() => {
              throw error;
            }),
        );
    }, [View]);
    return View ? createElement(View, props) : null;
  };
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
 * its own page is loaded in place of this one. Any other failure is reported where the view is drawn.
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
