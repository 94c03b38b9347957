import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "./keys.tsx";
import { shortcuts, shortcutTable } from "./table.ts";

const groups = Object.keys(shortcutTable);

/** The list of all shortcuts. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const entriesOf = Map.groupBy(shortcuts(), ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="gap-8 pb-2 md:columns-2">
        {groups.map((group) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 font-medium text-muted text-xs">{group}</h3>
            <dl>
              {entriesOf.get(group)?.map(({ id, keys, label }) => (
                <div key={id} className="flex items-baseline gap-3 border-line border-b py-1">
                  <dt className="min-w-0 flex-1">{label}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5 text-2xs text-faint">
                    {(keys.length > 2 ? [keys[0] ?? "", keys.at(-1) ?? ""] : keys).map((key, at) => (
                      <span key={key} className="flex items-center gap-1.5">
                        {at > 0 && (keys.length > 2 ? "to" : "or")}
                        <Keys of={key} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="mt-1 text-muted text-xs">
        Shortcuts work when you're not typing; Esc leaves a text field. Request shortcuts act on the focused
        request, or on the first one if nothing has focus.
      </p>
    </Dialog>
  );
}
