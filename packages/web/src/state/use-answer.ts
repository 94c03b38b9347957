import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../transport/http.ts";
import { offline, type Problem } from "../transport/wire.ts";
import { useDrover } from "./drover.ts";

export interface Answered<T> {
  /** The last answer; it stays while a newer one is asked for, or when that fails. */
  readonly value?: T;
  readonly problem?: Problem;
  readonly busy: boolean;
  readonly reload: () => void;
}

/** What the server answers to a GET, asked for when the component appears, by `reload`, and when a lost server is back. */
export function useAnswer<T>(path: string): Answered<T> {
  const { connection } = useDrover();
  const [state, setState] = useState<Omit<Answered<T>, "reload">>({ busy: true });
  /** Answers to older questions are dropped. */
  const round = useRef(0);
  const reload = useCallback(() => {
    const own = ++round.current;
    setState(({ value }) => ({ busy: true, ...(value === undefined ? {} : { value }) }));
    void api<T>("GET", path).then((answer) => {
      if (own !== round.current) return;
      setState(({ value }) => {
        if (answer.ok) return { busy: false, value: answer.value };
        return { busy: false, problem: answer.error, ...(value === undefined ? {} : { value }) };
      });
    });
  }, [path]);
  useEffect(() => {
    reload();
    return () => void round.current++;
  }, [reload]);
  const isLost = state.problem?.code === offline.code;
  useEffect(() => (isLost ? connection.onComeback(reload) : undefined), [isLost, connection, reload]);
  return { ...state, reload };
}
