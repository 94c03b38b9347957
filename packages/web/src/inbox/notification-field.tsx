import { Choice } from "../ui/choice.tsx";
import { chooseKind, type NotificationKind, notificationKinds, useKindsOff } from "./notification-kinds.ts";
import {
  type NotificationChoice,
  turnOffNotifications,
  turnOnNotifications,
  useNotificationChoice,
} from "./notifications.ts";

const about: Readonly<Record<NotificationChoice, string>> = {
  on: "Your browser notifies you when no Drover tab has focus.",
  off: "The tab's title counts waiting requests and unread sessions.",
  unasked: "The tab's title counts waiting requests and unread sessions.",
  blocked: "Your browser blocks notifications from this address. Allow them in its site settings.",
  impossible:
    "Not available here. Browsers show notifications only on HTTPS and localhost, and not on phones.",
};

/** The notification switch on the settings page. */
export function NotificationField() {
  const choice = useNotificationChoice();
  const fixed = choice === "blocked" || choice === "impossible";
  return (
    <div className="grid gap-2">
      <Choice
        legend="Desktop notifications"
        options={[
          { value: "on", name: "On", disabled: fixed },
          { value: "off", name: "Off", disabled: fixed },
        ]}
        value={choice === "on" ? "on" : "off"}
        onChange={(value) => (value === "on" ? void turnOnNotifications() : turnOffNotifications())}
        about={about[choice]}
      />
      {choice === "on" && <KindFields />}
    </div>
  );
}

function KindFields() {
  const off = useKindsOff();
  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">Notify me when</legend>
      {Object.entries(notificationKinds).map(([kind, name]) => (
        <label key={kind} className="flex items-center gap-2 text-sm max-md:min-h-10">
          <input
            type="checkbox"
            className="size-3.5 accent-ink"
            checked={!off.includes(kind)}
            onChange={(event) => chooseKind(kind as NotificationKind, event.target.checked)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
