import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { BoardIcon, PlusIcon } from "../ui/icons.tsx";
import { Remedy } from "../ui/remedy.tsx";

export function NoWorkers({ onNewWorker }: { onNewWorker: () => void }) {
  return (
    <Empty title="No workers yet" icon={<BoardIcon size={20} />}>
      <p>
        A worker is an agent with one task and its own branch. It asks you only when it has to, and reports
        when it is done. You review and merge what you like.
      </p>
      <p className="mt-4">
        <Button look="primary" onClick={onNewWorker}>
          <PlusIcon size={14} />
          New worker
        </Button>
      </p>
      <p className="mt-5">Or from a terminal, in a repository:</p>
      <div className="mt-2 flex justify-center">
        <Remedy text={'`drover worker spawn demo "write notes.txt Hello"`'} />
      </div>
    </Empty>
  );
}
