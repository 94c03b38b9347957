import { type CommitList, exactText, type Review, type Session } from "@drover/core";
import { useEffect, useRef, useState } from "react";
import { countOf } from "../format/count.ts";
import { ago, fullTime, useNow } from "../format/time.ts";
import { useAnswer } from "../state/use-resource.ts";
import { TextButton } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";

/** Further commits are folded. */
const shownAtFirst = 3;

/** The commits of a session beyond its base, newest first. */
export function Commits({ session, review }: { session: Session; review: Review }) {
  const { value, problem, reload } = useAnswer<CommitList>(`/api/sessions/${session.id}/commits`);
  const [showsAll, setShowsAll] = useState(false);
  const now = useNow(30_000);
  const known = `${review.ahead} ${review.work} ${session.workspace.base?.commit}`;
  const last = useRef(known);
  useEffect(() => {
    if (last.current !== known) reload();
    last.current = known;
  }, [known, reload]);
  if (!value) return <ProblemText problem={problem} />;
  const { commits, incomplete } = value;
  if (commits.length === 0) return null;
  const shown = showsAll ? commits : commits.slice(0, shownAtFirst);
  return (
    <div>
      <ul aria-label="Commits" className="grid gap-0.5 text-xs">
        {shown.map(({ id, subject, author, at }) => (
          <li key={id} className="flex min-w-0 items-baseline gap-2">
            <code className="shrink-0 font-mono text-faint">{id.slice(0, 7)}</code>
            <span className="min-w-0 truncate" title={exactText(subject)}>
              {exactText(subject)}
            </span>
            <span className="ml-auto shrink-0 text-faint max-md:hidden">{exactText(author)}</span>
            <time
              className="shrink-0 text-faint tabular-nums max-md:ml-auto"
              dateTime={at}
              title={fullTime(at)}
            >
              {ago(at, now)}
            </time>
          </li>
        ))}
      </ul>
      {shown.length < commits.length && (
        <TextButton className="text-xs max-md:min-h-10" onClick={() => setShowsAll(true)}>
          Show {incomplete ? "the latest" : "all"} {countOf(commits.length, "commit")}
        </TextButton>
      )}
      {showsAll && incomplete && <p className="text-faint text-xs">There are more.</p>}
    </div>
  );
}
