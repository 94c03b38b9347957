import { type Result, rank } from "@drover/core";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Keys } from "../keyboard/keys.tsx";
import { shortcuts } from "../keyboard/table.ts";
import type { Route } from "../routing/read-route.ts";
import { hasFailed } from "../sidebar/groups.ts";
import { useDrover } from "../state/drover.ts";
import type { Problem } from "../transport/wire.ts";
import { SearchIcon } from "../ui/icons.tsx";
import { StateDot } from "../ui/state-dot.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { type Command, type PaletteActions, paletteCommands } from "./commands.ts";

const most = 60;

interface PaletteProps extends PaletteActions {
  readonly route: Route;
  readonly onClose: () => void;
  /** Called with the outcome of a command that may be refused. */
  readonly onDoing: (doing: Promise<Result<unknown, Problem>>) => void;
}

/** Finds sessions, pages and commands by a few letters. */
export function Palette({ route, onClose, onDoing, ...actions }: PaletteProps) {
  const drover = useDrover();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list stays as it was when the palette opened
  const all = useMemo(() => paletteCommands(drover, route, actions), []);
  const found = useMemo(
    () =>
      rank(typed, all, ({ label, detail = "", keywords = "" }) => `${label} ${detail} ${keywords}`).slice(
        0,
        most,
      ),
    [typed, all],
  );
  useFocusBack();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    const doing = command.run();
    if (doing instanceof Promise) onDoing(doing);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((now) => Math.min(Math.max(now + step, 0), found.length - 1));
    }
    if (event.key === "Enter") run(found[at]);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Command palette"
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="mx-auto mt-[10vh] w-[min(36rem,100vw-1.5rem)] overflow-hidden rounded-lg bg-overlay text-ink shadow-overlay"
    >
      <div className="flex max-h-[min(30rem,75dvh)] flex-col">
        <div className="focus-frame focus-inset flex items-center gap-2.5 rounded-t-lg border-line border-b px-4">
          <span className="text-faint">
            <SearchIcon />
          </span>
          <input
            role="combobox"
            aria-label="Search or jump to…"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
            placeholder="Search or jump to…"
            className="h-12 min-w-0 flex-1 bg-transparent text-base framed"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1.5">
          {found.map((command, index) => (
            <Option
              key={command.id}
              id={`${id}-${index}`}
              command={command}
              chosen={index === at}
              heading={typed === "" && found[index - 1]?.group !== command.group}
              onChoose={() => run(command)}
            />
          ))}
          {found.length === 0 && <p className="px-2.5 py-6 text-center text-muted">No results</p>}
        </div>
      </div>
    </dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly chosen: boolean;
  /** Whether to show the group's heading above it. */
  readonly heading: boolean;
  readonly onChoose: () => void;
}

function Option({ id, command, chosen, heading, onChoose }: OptionProps) {
  const { label, detail, session, shortcut, group } = command;
  const option = useRef<HTMLDivElement>(null);
  const key = shortcuts().find((one) => one.id === shortcut)?.keys[0];
  useEffect(() => {
    if (chosen) option.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <>
      {heading && (
        <p aria-hidden="true" className="px-2.5 pt-2 pb-1 font-medium text-2xs text-muted">
          {group}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys */}
      <div
        ref={option}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={chosen}
        onClick={onChoose}
        className={`flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 max-md:min-h-11 ${chosen ? "bg-hover" : "hover:bg-hover/60"}`}
      >
        {session && <StateDot state={session.state} failed={hasFailed(session)} />}
        <span className="min-w-0 truncate">{label}</span>
        {detail && <span className="min-w-0 truncate text-faint text-xs">{detail}</span>}
        <span className="ml-auto shrink-0 max-md:hidden">{key && <Keys of={key} />}</span>
      </div>
    </>
  );
}
