import type { Result } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import type { Problem } from "../state/wire.ts";

/** One thing at a time that may be refused: whether it is under way, and why it was not done. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  /** True when it was done. */
  async function run(action: () => Promise<Result<unknown, Problem>>): Promise<boolean> {
    setBusy(true);
    setProblem(undefined);
    const result = await action();
    if (mounted.current) {
      setBusy(false);
      if (!result.ok) setProblem(result.error);
    }
    return result.ok;
  }

  return { busy, problem, run };
}
