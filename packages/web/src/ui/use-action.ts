import type { Result } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import type { Problem } from "../transport/wire.ts";

/** How something that may be refused stands: under way, done, or why it was not done. */
export interface ActionState {
  readonly busy: boolean;
  readonly done: boolean;
  readonly problem: Problem | undefined;
}

/** One thing at a time that may be refused. */
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

  /** True when it was done. While one is under way, no other begins: a key pressed twice means it once. */
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
