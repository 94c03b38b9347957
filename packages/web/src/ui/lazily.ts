import { type ComponentType, createElement, useEffect, useState } from "react";

const loads: (() => Promise<unknown>)[] = [];

/**
 * A view whose code loads separately; it renders nothing until then. Unlike React's `lazy`, it does not wait 300 ms for
 * code that was already fetched.
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
          // Thrown during rendering, so that the page's error boundary catches it.
          (error: unknown) =>
            setView(() => {
              throw error;
            }),
        );
    }, [View]);
    return View ? createElement(View, props) : null;
  };
}

/** Fetches all views ahead of time: they must work while the server is down or after it was updated. */
export async function fetchViews(): Promise<void> {
  await idle();
  // A view may register further views when it loads.
  for (let fetched = 0; fetched < loads.length; ) {
    const next = loads.slice(fetched);
    fetched = loads.length;
    // A view that fails to load reports it when it is opened.
    await Promise.allSettled(next.map((load) => load()));
  }
}

/** Waits until the browser is idle. Safari cannot tell, so a short delay must do. */
const idle = () =>
  new Promise<unknown>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve, { timeout: 1_000 });
    else setTimeout(resolve, 50);
  });

/**
 * Called when loading failed. Waits for the server if it is down. If it was updated, its files have other names, so the
 * page reloads. Any other failure is reported where the view is rendered.
 */
async function loadAgain<View>(load: () => Promise<View>): Promise<View> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]");
  const answer = await untilAnswered();
  const isOutdated = own && answer.ok && !(await answer.text()).includes(new URL(own.src).pathname);
  if (!isOutdated) return load();
  location.reload();
  // Render nothing while the page reloads.
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
