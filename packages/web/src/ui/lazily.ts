import { type ComponentType, lazy } from "react";

const loads: (() => Promise<unknown>)[] = [];

/** A view whose code the page does not wait for. */
export function lazily<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  loads.push(load);
  return lazy(async () => ({ default: await load() }));
}

/** Fetches every such view: when the server is away, or has become another version, it would be too late. */
export function fetchViews(): void {
  // One that fails says so where it is looked at.
  for (const load of loads) load().catch(() => undefined);
}
