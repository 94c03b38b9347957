import { type ReactNode, useEffect, useRef } from "react";
import type { Option } from "./use-listbox.ts";

interface OptionListProps<T extends Option> {
  readonly id: string;
  readonly label: string;
  readonly options: readonly T[];
  /** The highlighted one. */
  readonly at: number;
  readonly className: string;
  readonly onChoose: (option: T) => void;
  readonly children: (option: T) => ReactNode;
}

/** The suggestions for a text field, which keeps the focus. */
export function OptionList<T extends Option>(props: OptionListProps<T>) {
  const { id, label, options, at, className, onChoose, children } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (options.length === 0) return null;
  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        className={`absolute inset-x-0 z-20 max-h-[min(16rem,40dvh)] overflow-y-auto overscroll-contain rounded-lg bg-overlay p-1 shadow-overlay ${className}`}
        // The field keeps the focus, and a phone its keyboard.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => onChoose(option)}
            className={`flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 max-md:min-h-11 ${index === at ? "bg-hover" : "hover:bg-hover/60"}`}
          >
            {children(option)}
          </div>
        ))}
      </div>
      <p role="status" className="sr-only">
        {options.length === 1 ? "1 suggestion" : `${options.length} suggestions`}
      </p>
    </>
  );
}
