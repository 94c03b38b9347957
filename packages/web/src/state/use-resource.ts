import { useCallback, useEffect, useMemo, useRef } from "react";
import { api } from "../transport/http.ts";
import { offline } from "../transport/wire.ts";
import { useDrover } from "./drover.ts";
import { Resource, type ResourceState } from "./resource.ts";
import { useStore } from "./store.ts";

export interface Answered<T> extends ResourceState<T> {
  readonly reload: () => void;
}

/** Loads a resource when the component mounts, on `reload`, and after a lost connection. */
export function useResource<T>(resource: Resource<T>): Answered<T> {
  const { connection } = useDrover();
  const state = useStore(resource.state, (now) => now);
  const reload = useCallback(() => void resource.reload(), [resource]);
  useEffect(() => resource.load(), [resource]);
  const isLost = state.problem?.code === offline.code;
  useEffect(
    () => (isLost ? connection.onComeback(() => resource.load()) : undefined),
    [isLost, connection, resource],
  );
  return { ...state, reload };
}

/** The answer to a GET that only this component uses. The last answer stays while another path is loading. */
export function useAnswer<T>(path: string): Answered<T> {
  const previous = useRef<T>(undefined);
  const resource = useMemo(() => new Resource<T>(() => api("GET", path), previous.current), [path]);
  const answered = useResource(resource);
  previous.current = answered.value;
  return answered;
}
