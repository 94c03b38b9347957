import { Menu as BaseMenu } from "@base-ui/react/menu";
import { type ReactNode, useRef } from "react";
import { IconButton } from "./button.tsx";
import { MoreIcon } from "./icons.tsx";

export interface MenuEntry {
  readonly text: string;
  readonly icon?: ReactNode;
  readonly dangerous?: boolean;
  readonly onChoose: () => void;
}

/** A button that opens a menu, with arrow keys, Home, End and type-ahead. */
export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const hasChosen = useRef(false);
  return (
    <BaseMenu.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) hasChosen.current = false;
      }}
    >
      <BaseMenu.Trigger ref={button} render={<IconButton label={label} />}>
        <MoreIcon />
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-20">
          <BaseMenu.Popup
            // Whatever the entry opened already has focus.
            finalFocus={() => !hasChosen.current}
            className="max-h-(--available-height) min-w-44 overflow-y-auto rounded-lg bg-overlay p-1 shadow-overlay outline-none"
          >
            {entries.map((entry) => (
              <BaseMenu.Item
                key={entry.text}
                render={<button type="button" />}
                nativeButton
                className={`flex h-8 w-full items-center gap-2 whitespace-nowrap rounded-md px-2 text-left text-sm focus-inset data-highlighted:bg-hover ${entry.dangerous ? "text-bad" : ""}`}
                onClick={() => {
                  hasChosen.current = true;
                  // The menu's own handler runs next and focuses the entry. What the entry opens returns focus to
                  // where it was, and that must be the button.
                  queueMicrotask(() => {
                    button.current?.focus();
                    entry.onChoose();
                  });
                }}
              >
                {entry.icon}
                {entry.text}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
