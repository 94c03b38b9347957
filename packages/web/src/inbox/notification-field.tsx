import { Choice } from "../ui/choice.tsx";
import {
  type NotificationChoice,
  turnOffNotifications,
  turnOnNotifications,
  useNotificationChoice,
} from "./notifications.ts";

const about: Readonly<Record<NotificationChoice, string>> = {
  on: "Your browser notifies you when an agent needs you and Drover is in the background.",
  off: "Waiting requests show in the tab's title and icon only.",
  unasked: "Waiting requests show in the tab's title and icon only.",
  blocked: "Your browser blocks notifications from this address. Allow them in its site settings.",
  impossible: "Not available: browsers show them on https and localhost only, and not on phones.",
};

/** The notification switch on the settings page. */
export function NotificationField() {
  const choice = useNotificationChoice();
  const fixed = choice === "blocked" || choice === "impossible";
  return (
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
  );
}
