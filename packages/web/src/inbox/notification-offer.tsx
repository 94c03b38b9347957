import { Button } from "../ui/button.tsx";
import { BellIcon } from "../ui/icons.tsx";
import { turnOffNotifications, turnOnNotifications, useNotificationChoice } from "./notifications.ts";

/** Offers notifications once. The browser asks for permission only after "Turn on". */
export function NotificationOffer() {
  if (useNotificationChoice() !== "unasked") return null;
  return (
    <aside className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <span className="text-muted">
        <BellIcon />
      </span>
      <p className="min-w-48 flex-1">Notify me when an agent needs me or is done</p>
      <span className="flex gap-2">
        <Button onClick={() => void turnOnNotifications()}>Turn on</Button>
        <Button look="quiet" onClick={turnOffNotifications}>
          Not now
        </Button>
      </span>
    </aside>
  );
}
