import type { Result } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import type { Problem } from "../transport/wire.ts";

/** The state of an action that can fail. */
export interface ActionState {
  readonly busy: boolean;
  readonly done: boolean;
  readonly problem: Problem | undefined;
}

/** Runs an action that can fail, one at a time. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isUnderWay = useRef(false);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  /** Returns whether the action succeeded. Ignores calls while one is running, such as a key pressed twice. */
  async function run(action: () => Promise<Result<unknown, Problem>>): Promise<boolean> {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setBusy(true);
    setDone(false);
    setProblem(undefined);
    const result = await action();
    isUnderWay.current = false;
    if (mounted.current) {
      setBusy(false);
      setDone(result.ok);
      if (!result.ok) setProblem(result.error);
    }
    return result.ok;
  }

  return { busy, done, problem, run };
}
