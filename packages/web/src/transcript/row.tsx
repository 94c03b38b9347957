import { memo } from "react";
import { DecisionLine } from "../interaction/decision-line.tsx";
import { type Entry, type ItemEntry, sameEntry } from "./entries.ts";
import { ItemView } from "./item-view.tsx";
import { NestedItems } from "./nested-items.tsx";

const drawItem = (entry: ItemEntry) => <ItemView key={entry.key} entry={entry} />;

/** One row, rendered again only when its content has changed. */
export const Row = memo(
  function Row({ entry }: { entry: Entry }) {
    switch (entry.type) {
      case "item":
        return <ItemView entry={entry} />;
      case "inside":
        return (
          <section aria-label="Sub-agent" className="rounded-md border border-line px-3 py-2">
            <p className="mb-2 text-faint text-xs">Sub-agent started earlier</p>
            <NestedItems entries={entry.nested} draw={drawItem} />
          </section>
        );
      case "decision":
        return (
          <div className="rounded-md border border-line px-3 py-2">
            <DecisionLine interaction={entry.interaction} />
          </div>
        );
    }
  },
  (before, after) => sameEntry(before.entry, after.entry),
);
