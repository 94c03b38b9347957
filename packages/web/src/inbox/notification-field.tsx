import { Choice } from "../ui/choice.tsx";
import {
  type NotificationChoice,
  turnOffNotifications,
  turnOnNotifications,
  useNotificationChoice,
} from "./notifications.ts";

const about: Readonly<Record<NotificationChoice, string>> = {
  on: "Your browser tells you when an agent asks while you look elsewhere.",
  off: "What waits shows in the tab's title and icon only.",
  unasked: "What waits shows in the tab's title and icon only.",
  blocked: "Your browser blocks them for this address. Its site settings can allow them.",
  impossible: "Browsers have them on secure addresses only: https, or this machine's own.",
};

/** The switch for settings. */
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
