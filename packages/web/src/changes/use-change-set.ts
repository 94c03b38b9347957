import { useEffect, useState } from "react";
import { ChangeSet } from "./change-set.ts";
import type { DiffSource } from "./diff-source.ts";

/** The changes of a source, loaded whenever they may be others. */
export function useChangeSet(source: DiffSource): ChangeSet | undefined {
  const [changeSet, setChangeSet] = useState<ChangeSet>();
  useEffect(() => {
    const opened = new ChangeSet(source);
    setChangeSet(opened);
    const unsubscribe = source.subscribe(() => void opened.refresh());
    return () => {
      unsubscribe();
      opened.close();
    };
  }, [source]);
  return changeSet;
}
