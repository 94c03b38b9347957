import type { SpawnWorker } from "@drover/core";
import { useRef, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { randomId } from "../storage/random.ts";
import { useAction } from "../ui/use-action.ts";

/** Starts workers. Called again after a failure, it starts only those that are missing. */
export function useSpawn() {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [started, setStarted] = useState(0);
  const batch = useRef(randomId());

  const spawn = (wanted: SpawnWorker, tries: number): Promise<boolean> =>
    run(async () => {
      const shared = tries > 1 ? { batch: batch.current } : {};
      for (let at = started; ; at++) {
        const answer = await drover.spawn({ ...wanted, ...shared });
        if (!answer.ok || at + 1 >= tries) return answer;
        setStarted(at + 1);
      }
    });
  return { busy, problem, started, spawn };
}
