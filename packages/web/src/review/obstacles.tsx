import { exactText, type Mergeability, type Session } from "@drover/core";
import { countOf } from "../format/count.ts";
import { Button } from "../ui/button.tsx";
import { ConflictingFiles } from "../ui/conflicting-files.tsx";
import { UpdateButtons } from "./conflicts.tsx";

interface ObstaclesProps {
  readonly session: Session;
  readonly can: Mergeability;
  readonly onAgain: () => void;
  readonly onUpdated: () => void;
}

/** Why a merge can't go ahead, with the next step; or what it would bring. */
export function Obstacles({ session, can, onAgain, onUpdated }: ObstaclesProps) {
  const { into, mergeable, conflicts, ahead, behind, checkout } = can;
  const branch = exactText(into);
  if (!mergeable) {
    return (
      <ConflictingFiles title={`These files conflict with ${branch}:`} files={conflicts}>
        <UpdateButtons session={session} into={branch} onDone={onUpdated} />
      </ConflictingFiles>
    );
  }
  if (ahead === 0) return <p className="text-muted">{branch} has all of this work already.</p>;
  if (checkout && checkout.inTheWay.length > 0) {
    return (
      <ConflictingFiles
        title={`${branch} is checked out in ${exactText(checkout.path)}, and the merge would overwrite these files there. Commit, move or remove them:`}
        files={checkout.inTheWay}
      >
        <Button onClick={onAgain}>Check again</Button>
      </ConflictingFiles>
    );
  }
  const missing = behind > 0 ? `, which is ${countOf(behind, "commit")} further by now` : "";
  return (
    <p className="text-muted">
      Brings {countOf(ahead, "commit")} into {branch}
      {missing}. No conflicts.
    </p>
  );
}
