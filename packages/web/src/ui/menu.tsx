import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { MoreIcon } from "./icons.tsx";

export interface MenuEntry {
  readonly text: string;
  readonly icon?: ReactNode;
  readonly dangerous?: boolean;
  readonly onChoose: () => void;
}

export function Menu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    list.current?.querySelector("button")?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !list.current) return;
    event.preventDefault();
    const buttons = [...list.current.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((at + step) % buttons.length)?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the button and the entries
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <IconButton label={label} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        <MoreIcon />
      </IconButton>
      {open && (
        <div
          ref={list}
          role="menu"
          className="absolute top-full right-0 z-20 mt-1 min-w-44 rounded-lg bg-overlay p-1 shadow-overlay"
        >
          {entries.map(({ text, icon, dangerous, onChoose }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              className={`flex h-8 w-full whitespace-nowrap items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover ${dangerous ? "text-bad" : ""}`}
              onClick={() => {
                close();
                onChoose();
              }}
            >
              {icon}
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
