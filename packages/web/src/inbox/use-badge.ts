import { useEffect } from "react";
import { useDrover } from "../state/drover.ts";
import { useLookedAt } from "../state/looked-at.ts";
import { useStore } from "../state/store.ts";
import waitingIcon from "./icon-waiting.svg";

const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
const quietIcon = icon?.href ?? "";

/**
 * Shows in the tab's title how many requests are open and how many sessions are unread, and in its icon whether a
 * request is open. `shown` is the session on the page, which is about to be marked as seen while someone looks at it.
 */
export function useBadge(title: string, shown: string | undefined): void {
  const { inbox, sessions } = useDrover();
  const isLookedAt = useLookedAt();
  const waiting = useStore(inbox.state, ({ open }) => open.length);
  const unread = useStore(sessions.state, ({ sessions: all }) => {
    const isMarked = ({ id, name }: { id: string; name: string }) =>
      !isLookedAt || (id !== shown && name !== shown);
    return all.filter((one) => one.unread && one.openInteractions === 0 && isMarked(one)).length;
  });
  const count = waiting + unread;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${title}`;
    if (icon) icon.href = waiting > 0 ? waitingIcon : quietIcon;
  }, [count, waiting, title]);
}
