import type { Item } from "@drover/core";
import { type ComponentType, memo } from "react";
import { itemText } from "../format/item-text.ts";
import { plainText } from "../format/terminal.ts";
import { ChangesItem } from "./changes-item.tsx";
import { type ItemEntry, type ItemProps, sameEntry } from "./entries.ts";
import { ItemActions } from "./item-actions.tsx";
import { NestedItems } from "./nested-items.tsx";
import { NoticeItem } from "./notice-item.tsx";
import { PlainFallback } from "./plain-fallback.tsx";
import { useReader } from "./reader.ts";
import { TasksItem } from "./tasks-item.tsx";
import { TextItem } from "./text-item.tsx";
import { ThinkingItem } from "./thinking-item.tsx";
import { ToolItem } from "./tool-item.tsx";
import { UserItem } from "./user-item.tsx";

/** A new kind of item takes one line here and one file. */
const views: Readonly<Partial<Record<Item["kind"], ComponentType<ItemProps>>>> = {
  user: UserItem,
  text: TextItem,
  thinking: ThinkingItem,
  tool: ToolItem,
  tasks: TasksItem,
  notice: NoticeItem,
  changes: ChangesItem,
};

export const ItemView = memo(
  function ItemView({ entry }: { entry: ItemEntry }) {
    const { item, nested } = entry;
    const { target } = useReader();
    const View = views[item.kind];
    // A newer server may send kinds that this page does not know.
    if (!View) return null;
    return (
      <div data-seq={item.seq} className={`item relative ${target === item.seq ? "arrived" : ""}`}>
        <PlainFallback text={() => plainText(itemText(item))}>
          <View entry={entry}>{nested.length > 0 && <NestedItems entries={nested} draw={drawItem} />}</View>
        </PlainFallback>
        <ItemActions item={item} />
      </div>
    );
  },
  (before, after) => sameEntry(before.entry, after.entry),
);

const drawItem = (entry: ItemEntry) => <ItemView key={entry.key} entry={entry} />;
