import type { Session } from "@drover/core";
import { modeMeaning } from "../format/capability-words.ts";
import { Empty, PathWords } from "../ui/empty.tsx";

/** A session before its first words: what will happen with them. */
export function NothingYet({ session }: { session: Session }) {
  const { agent, capabilities, cwd, permissionMode } = session;
  return (
    <Empty title="Nothing said yet">
      <p>
        Write the first prompt below: {agent} starts with it, in <PathWords path={cwd} />.
      </p>
      <p className="mt-1.5">{modeMeaning(permissionMode, capabilities)}</p>
    </Empty>
  );
}
