import { type DirectoryMatches, rank } from "@drover/core";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { PathText } from "../ui/path-text.tsx";
import { OptionList } from "./option-list.tsx";
import { useListbox } from "./use-listbox.ts";
import { useMatches } from "./use-matches.ts";

const most = 20;
const mostRecent = 5;

interface PathFieldProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  readonly value: string;
  readonly onChange: (path: string) => void;
  /** Directories that were used before, most recent first. */
  readonly recent?: readonly string[];
}

/** A field for a directory, with suggestions as it is typed. */
export function PathField({ value, onChange, recent = [], onKeyDown, ...rest }: PathFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const typed = value.trim();
  const found = useMatches<DirectoryMatches>(
    isOpen ? `/api/directories?limit=${most}&query=${encodeURIComponent(typed)}` : undefined,
  );
  const known = rank(typed, recent, (path) => path).slice(0, mostRecent);
  const listed = found?.directories.map(({ path }) => path) ?? [];
  const paths = isOpen ? [...new Set([...known, ...listed])] : [];
  const options = paths.filter((path) => path !== typed).map((path) => ({ key: path, text: path }));
  const close = () => setOpen(false);
  const choose = ({ text }: { readonly text: string }) => {
    onChange(text);
    close();
  };
  const list = useListbox({ options, typed, isEager: false, onChoose: choose, onClose: close });
  return (
    <div className="relative min-w-0">
      <input
        className="field w-full font-mono text-xs"
        placeholder="~/project"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        {...rest}
        {...list.field}
        value={value}
        onChange={({ target }) => {
          setOpen(true);
          onChange(target.value);
        }}
        onBlur={close}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (list.onKeyDown(event)) return;
          if (event.key === "ArrowDown") setOpen(true);
          onKeyDown?.(event);
        }}
      />
      <OptionList
        id={list.id}
        label="Directories"
        options={options}
        at={list.at}
        className="top-full mt-1"
        onChoose={choose}
      >
        {({ text }) => (
          <span className="min-w-0 font-mono text-xs">
            <PathText path={text} />
          </span>
        )}
      </OptionList>
    </div>
  );
}
