import type { Item } from "@drover/core";
import { type ComponentType, memo, type ReactNode } from "react";
import { type ItemEntry, sameEntry } from "./entries.ts";
import { NoticeItem } from "./notice-item.tsx";
import { TasksItem } from "./tasks-item.tsx";
import { TextItem } from "./text-item.tsx";
import { ThinkingItem } from "./thinking-item.tsx";
import { ToolItem } from "./tool-item.tsx";
import { UserItem } from "./user-item.tsx";

interface ItemProps {
  readonly entry: ItemEntry;
  /** The entries nested in this one, drawn. */
  readonly children: ReactNode;
}

/** A new kind of item is one line here and one file. */
const views: Readonly<Record<Item["kind"], ComponentType<ItemProps>>> = {
  user: UserItem,
  text: TextItem,
  thinking: ThinkingItem,
  tool: ToolItem,
  tasks: TasksItem,
  notice: NoticeItem,
};

export const ItemView = memo(
  function ItemView({ entry }: { entry: ItemEntry }) {
    const View = views[entry.item.kind];
    // A newer server may know kinds that this page does not.
    if (!View) return null;
    const nested = entry.nested.map((child) => <ItemView key={child.item.id} entry={child} />);
    return <View entry={entry}>{nested.length > 0 && nested}</View>;
  },
  (before, after) => sameEntry(before.entry, after.entry),
);
