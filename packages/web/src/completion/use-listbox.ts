import { type KeyboardEvent, useId, useState } from "react";

export interface Option {
  /** Distinguishes it from the others. */
  readonly key: string;
  /** What choosing it writes. */
  readonly text: string;
}

interface Listbox<T extends Option> {
  readonly options: readonly T[];
  /** What is typed so far. Enter means more than choosing if the highlighted option would write the same. */
  readonly typed: string;
  /** Whether the first option is highlighted at once, so that Enter and Tab choose it. */
  readonly isEager: boolean;
  readonly onChoose: (option: T) => void;
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The keys and roles of a text field with a list of suggestions; the focus stays in the field. */
export function useListbox<T extends Option>({ options, typed, isEager, onChoose, onClose }: Listbox<T>) {
  const id = useId();
  const [highlighted, setHighlighted] = useState<string>();
  const isOpen = options.length > 0;
  const found = options.findIndex(({ key }) => key === highlighted);
  const at = found < 0 && isEager ? 0 : found;
  const chosen = at < 0 ? undefined : options[at];

  /** Whether the list handled the key. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
    const step = steps[event.key];
    if (event.key === "Escape") onClose();
    else if (hasModifier) return false;
    else if (step !== undefined)
      setHighlighted(options.at(at < 0 && step < 0 ? -1 : (at + step) % options.length)?.key);
    else if (!chosen) return false;
    else if (event.key === "Tab" || (event.key === "Enter" && chosen.text !== typed)) onChoose(chosen);
    else return false;
    event.preventDefault();
    // A dialog around the field would close as well.
    event.stopPropagation();
    return true;
  };
  const field = isOpen
    ? ({
        role: "combobox",
        "aria-autocomplete": "list",
        "aria-expanded": true,
        "aria-controls": id,
        "aria-activedescendant": chosen ? `${id}-${at}` : undefined,
      } as const)
    : {};
  return { id, at, field, onKeyDown };
}
