import type { PermissionMode, Session } from "@drover/core";
import { modeMeaning } from "../format/capability-words.ts";
import { allModes, modeWords } from "../format/words.ts";
import { useDrover } from "../state/drover.ts";
import type { useAction } from "../ui/use-action.ts";
import { Caret } from "./caret.tsx";

interface ModeSwitchProps {
  readonly session: Session;
  /** Owned by the parent, which shows the error when a change is refused. */
  readonly action: ReturnType<typeof useAction>;
}

/** What the agent may do without asking. A change applies from its next action on. */
export function ModeSwitch({ session, action: { busy, run } }: ModeSwitchProps) {
  const drover = useDrover();
  const { id, permissionMode, modes = allModes } = session;
  return (
    <span className="relative flex items-center rounded-sm hover:bg-hover hover:text-ink">
      <select
        aria-label="Permission mode"
        title={modeMeaning(permissionMode, session.capabilities)}
        disabled={busy}
        value={permissionMode}
        className="quiet-select"
        onChange={(event) => {
          const mode = event.target.value as PermissionMode;
          void run(() => drover.change(id, { permissionMode: mode }));
        }}
      >
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {modeWords[mode].name}
          </option>
        ))}
      </select>
      <Caret />
    </span>
  );
}
