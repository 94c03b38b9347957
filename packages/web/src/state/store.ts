import { useEffect, useState, useSyncExternalStore } from "react";

/** A value with subscribers. Values are immutable; a change is a new value. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again when the selected part changes. `select` must return the same reference for the same value. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Renders at most once a frame, for views of many items that change one by one. */
export function useStorePerFrame<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    let frame: number | undefined;
    const update = () => {
      frame = undefined;
      setValue(store.get());
    };
    update();
    const unsubscribe = store.subscribe(() => {
      frame ??= requestAnimationFrame(update);
    });
    return () => {
      unsubscribe();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [store]);
  return value;
}
