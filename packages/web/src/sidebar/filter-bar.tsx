import { useState } from "react";
import { nameIn } from "../agents/agent-name.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { IconButton } from "../ui/button.tsx";
import { FilterIcon, SearchIcon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";
import { type Filter, type Standing, standings } from "./groups.ts";

interface FilterBarProps {
  readonly filter: Filter;
  readonly agents: readonly string[];
  readonly onChange: (filter: Filter) => void;
}

/** The filter field, with the other filters in a panel below it. */
export function FilterBar({ filter, agents, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const { agents: resource } = useDrover();
  const known = useStore(resource.state, ({ value }) => value);
  const active = filter.standing !== "all" || filter.agent !== "" || filter.archived;
  useShortcuts({ search: () => field?.focus() });
  return (
    <search className="grid gap-2 px-2 pb-2">
      <div className="flex items-center gap-1">
        <label className="relative min-w-0 flex-1">
          <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-faint">
            <SearchIcon size={14} />
          </span>
          <input
            ref={setField}
            type="search"
            aria-label="Filter sessions"
            placeholder="Filter sessions"
            className="field h-8 bg-canvas pl-8"
            value={filter.text}
            onChange={(event) => onChange({ ...filter, text: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              onChange({ ...filter, text: "" });
              event.currentTarget.blur();
            }}
          />
        </label>
        <IconButton
          label="Filters"
          aria-expanded={open}
          className={active ? "text-accent" : ""}
          onClick={() => setOpen(!open)}
        >
          <FilterIcon />
        </IconButton>
      </div>
      {open && (
        <div className="grid grid-cols-2 gap-1.5">
          <Select
            aria-label="State"
            className="h-8 py-0! text-xs"
            value={filter.standing}
            onChange={(event) => onChange({ ...filter, standing: event.target.value as Standing })}
          >
            {Object.entries(standings).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Agent"
            className="h-8 py-0! text-xs"
            value={filter.agent}
            onChange={(event) => onChange({ ...filter, agent: event.target.value })}
          >
            <option value="">Any agent</option>
            {agents.map((agent) => (
              <option key={agent} value={agent}>
                {nameIn(known?.agents, agent)}
              </option>
            ))}
          </Select>
          <label className="col-span-2 flex items-center gap-2 px-0.5 text-muted text-xs max-md:min-h-10">
            <input
              type="checkbox"
              className="size-3.5 accent-ink"
              checked={filter.archived}
              onChange={(event) => onChange({ ...filter, archived: event.target.checked })}
            />
            Archived sessions
          </label>
        </div>
      )}
    </search>
  );
}
