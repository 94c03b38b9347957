import { useMemo } from "react";
import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";
import type { FileView } from "./change-set.ts";

/** Which files a reviewer has ticked as viewed. */
export interface Viewed {
  readonly paths: ReadonlySet<string>;
  readonly tick: (file: FileView, isViewed: boolean) => void;
}

/** A ticked file, and the change that was viewed. */
interface Tick extends Pick<FileView, "added" | "removed"> {
  readonly digest: string;
}

type Ticks = Readonly<Record<string, Tick>>;

const prefix = "drover:viewed:";
const key = (diffId: string) => `${prefix}${diffId}`;

/** Ticks by storage key, cached so that unchanged ones keep their identity. Other tabs of this browser share them. */
const known = new Map<string, Ticks>();
const changes = createStore(0);
const notify = () => changes.set(changes.get() + 1);
addEventListener("storage", (event) => {
  if (known.delete(event.key ?? "")) notify();
});

function ticksOf(diffId: string): Ticks {
  const at = key(diffId);
  const ticks = known.get(at) ?? browserStorage.readJson<Ticks>(at) ?? {};
  known.set(at, ticks);
  return ticks;
}

function save(diffId: string, ticks: Ticks): void {
  const at = key(diffId);
  browserStorage.write(at, Object.keys(ticks).length === 0 ? undefined : JSON.stringify(ticks));
  known.set(at, ticks);
  notify();
}

/** A file is viewed as long as its change is the one that was ticked. */
export function useViewed(diffId: string, files: readonly FileView[]): Viewed {
  const ticks = useStore(changes, () => ticksOf(diffId));
  return useMemo(
    () => ({
      paths: new Set(files.filter((file) => isSame(file, ticks[file.path])).map(({ path }) => path)),
      tick: ({ path, added, removed, digest }, isViewed) => {
        const { [path]: _, ...others } = ticksOf(diffId);
        if (!isViewed) save(diffId, others);
        else if (digest !== undefined) save(diffId, { ...others, [path]: { added, removed, digest } });
      },
    }),
    [diffId, files, ticks],
  );
}

/** Until the lines of a file are loaded, their numbers have to do. */
function isSame({ added, removed, digest }: FileView, tick: Tick | undefined): boolean {
  if (tick?.added !== added || tick.removed !== removed) return false;
  return digest === undefined || digest === tick.digest;
}
