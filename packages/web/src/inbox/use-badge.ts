import { useEffect } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import waitingIcon from "./icon-waiting.svg";

const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
const quietIcon = icon?.href ?? "";

/** Shows the number of open requests in the tab's title and icon. */
export function useBadge(title: string): void {
  const { inbox } = useDrover();
  const waiting = useStore(inbox.state, ({ open }) => open.length);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title}`;
    if (icon) icon.href = waiting > 0 ? waitingIcon : quietIcon;
  }, [waiting, title]);
}
