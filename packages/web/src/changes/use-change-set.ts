import { useEffect, useState } from "react";
import { ChangeSet } from "./change-set.ts";
import type { DiffSource } from "./diff-source.ts";

/** Loads the changes of a source, and reloads them whenever they may have changed. */
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
