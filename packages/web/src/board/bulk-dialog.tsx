import { exactText, type Session } from "@drover/core";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface BulkDialogProps {
  readonly title: string;
  readonly about: string;
  readonly workers: readonly Session[];
  /** The words on the button. */
  readonly action: string;
  readonly dangerous?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something happens to several workers, and names them. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, about, workers, action, dangerous = false, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-muted">{about}</p>
        <ul className="grid max-h-[40vh] gap-1 overflow-y-auto">
          {workers.map(({ id, name, title: task }) => (
            <li key={id} className="flex min-w-0 items-baseline gap-2">
              <span className="min-w-0 truncate">{exactText(task || name)}</span>
              {task && <span className="ml-auto shrink-0 text-faint text-xs">{name}</span>}
            </li>
          ))}
        </ul>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look={dangerous ? "danger" : "primary"} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
