import type { ComponentType } from "react";
import { useDrover } from "../state/drover.ts";
import { href, type PlainPage } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { themeWords, turnTheme, useTheme } from "../theme/theme.ts";
import { IconButton } from "../ui/button.tsx";
import {
  AgentIcon,
  DoctorIcon,
  FolderIcon,
  InboxIcon,
  KeyboardIcon,
  SettingsIcon,
  ThemeIcon,
} from "../ui/icons.tsx";

interface NavProps {
  /** The page that is shown. */
  readonly page: string;
}

export function InboxLink({ page }: NavProps) {
  const { inbox } = useDrover();
  const waiting = useStore(inbox.state, ({ open }) => open.length);
  return (
    <a
      href={href.inbox}
      aria-current={page === "inbox" ? "page" : undefined}
      className={`mx-2 mb-2 flex h-8 items-center gap-2.5 rounded-md px-2 max-md:h-11 ${page === "inbox" ? "bg-hover font-medium" : "hover:bg-hover/60"}`}
    >
      <span className="text-muted">
        <InboxIcon size={15} />
      </span>
      Inbox
      {waiting > 0 && (
        <span className="ml-auto rounded-full bg-warn-dot/20 px-1.5 font-medium text-2xs text-warn tabular-nums">
          <span className="sr-only">, </span>
          {waiting}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </a>
  );
}

const links: readonly (readonly [
  Exclude<PlainPage, "home" | "inbox">,
  string,
  ComponentType<{ size?: number }>,
])[] = [
  ["agents", "Agents", AgentIcon],
  ["projects", "Projects", FolderIcon],
  ["settings", "Settings", SettingsIcon],
  ["doctor", "Doctor", DoctorIcon],
];

/** The pages that are looked at now and then, at the foot of the list. */
export function PageLinks({ page, onShowKeys }: NavProps & { readonly onShowKeys: () => void }) {
  const theme = useTheme();
  return (
    <footer className="shrink-0 border-line border-t p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <ul className="grid grid-cols-2 gap-0.5">
        {links.map(([name, words, Icon]) => (
          <li key={name}>
            <a
              href={href[name]}
              aria-current={page === name ? "page" : undefined}
              className={`flex h-7 items-center gap-2 rounded-md px-2 text-xs max-md:h-10 ${page === name ? "bg-hover font-medium" : "text-muted hover:bg-hover/60 hover:text-ink"}`}
            >
              <Icon size={14} />
              {words}
            </a>
          </li>
        ))}
      </ul>
      <div className="mt-0.5 flex items-center gap-0.5">
        <button
          type="button"
          onClick={turnTheme}
          className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-muted text-xs hover:bg-hover/60 hover:text-ink max-md:h-10"
        >
          <ThemeIcon size={14} />
          Theme: {themeWords[theme]}
        </button>
        <IconButton label="Keyboard shortcuts" className="max-md:hidden" onClick={onShowKeys}>
          <KeyboardIcon size={15} />
        </IconButton>
      </div>
    </footer>
  );
}
