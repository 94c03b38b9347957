import type { Session } from "@drover/core";
import { modeMeaning } from "../format/capability-words.ts";

/** A session before its first words: what will happen with them. */
export function NothingYet({ session }: { session: Session }) {
  const { agent, capabilities, cwd, permissionMode } = session;
  return (
    <div className="mx-auto max-w-md py-16 text-center">
      <h2 className="font-semibold text-lg tracking-tight">Nothing said yet</h2>
      <p className="mt-1.5 text-muted">
        Write the first prompt below: {agent} starts with it, in{" "}
        <span className="break-all font-mono text-xs">{cwd}</span>.
      </p>
      <p className="mt-1.5 text-faint">{modeMeaning(permissionMode, capabilities)}</p>
    </div>
  );
}
