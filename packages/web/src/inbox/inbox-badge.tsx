import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";

/** The number of open requests, beside the link to the inbox. */
export function InboxBadge() {
  const { inbox } = useDrover();
  const waiting = useStore(inbox.state, ({ open }) => open.length);
  if (waiting === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-warn-dot/20 px-1.5 font-medium text-2xs text-warn tabular-nums">
      <span className="sr-only">, </span>
      {waiting}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
