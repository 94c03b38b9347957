import type { Session, SessionList } from "@drover/core";
import { useEffect, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { useStore } from "../state/store.ts";
import { useAnswer } from "../state/use-resource.ts";
import { Empty } from "../ui/empty.tsx";
import { BackHome, PageHeader } from "../ui/page.tsx";
import { usePageTitle } from "../ui/page-title.ts";
import { DiscardDialog } from "./discard-dialog.tsx";
import { TriesDiff } from "./tries-diff.tsx";
import { TryColumn } from "./try-column.tsx";

const views = { tries: "Side by side", diff: "Differences" } as const;
type View = keyof typeof views;

/** All tries at one task, to pick one of them. */
export function ComparePage({ batch }: { batch: string }) {
  const { sessions } = useDrover();
  // The list of sessions may not reach back to them.
  const asked = useAnswer<SessionList>(`/api/sessions?batch=${encodeURIComponent(batch)}`);
  const isAsked = asked.value !== undefined || asked.problem !== undefined;
  useEffect(() => {
    for (const session of asked.value?.sessions ?? []) sessions.learn(session);
  }, [asked.value, sessions]);
  const tries = triesOf(
    useStore(sessions.state, (state) => state.sessions),
    batch,
  );
  const [view, setView] = useState<View>("tries");
  /** The try to keep when the others are discarded. */
  const [kept, setKept] = useState<Session>();
  const title = tries[0]?.title || "Compare tries";
  usePageTitle(title);
  if (tries.length === 0) return isAsked ? <NoTries /> : null;
  return (
    <>
      <PageHeader
        wide
        title={title}
        actions={
          tries.length > 1 && (
            <fieldset aria-label="View" className="flex gap-0.5 rounded-md bg-track p-0.5">
              {(Object.keys(views) as View[]).map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === view}
                  onClick={() => setView(each)}
                  className="rounded-sm px-2 py-1 text-muted text-xs aria-pressed:bg-thumb aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-float"
                >
                  {views[each]}
                </button>
              ))}
            </fieldset>
          )
        }
      />
      {view === "diff" && tries.length > 1 ? (
        <TriesDiff tries={tries} />
      ) : (
        <ul
          aria-label="Tries"
          className="flex min-h-0 flex-1 gap-3 overflow-auto px-(--edge) py-4 max-md:flex-col md:items-start"
        >
          {tries.map((session, at) => (
            <TryColumn
              key={session.id}
              session={session}
              number={at + 1}
              onDiscardOthers={othersOf(session, tries).length > 0 ? setKept : undefined}
            />
          ))}
        </ul>
      )}
      {kept && (
        <DiscardDialog kept={kept} others={othersOf(kept, tries)} onClose={() => setKept(undefined)} />
      )}
    </>
  );
}

/** In the order they were started. */
const triesOf = (sessions: readonly Session[], batch: string): readonly Session[] =>
  sessions
    .filter(({ worker }) => worker?.batch === batch)
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));

/** Another project may use the same name for a batch of its own. */
const othersOf = (kept: Session, tries: readonly Session[]): readonly Session[] =>
  tries.filter(({ id, projectId }) => id !== kept.id && projectId === kept.projectId);

function NoTries() {
  return (
    <>
      <PageHeader title="Compare tries" />
      <Empty title="No tries found">
        <p>They may have been discarded or archived.</p>
        <BackHome />
      </Empty>
    </>
  );
}
