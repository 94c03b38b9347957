import { exactText, type Session } from "@drover/core";
import { fileCount } from "../format/file-count.ts";
import { ago, fullTime, useNow } from "../format/time.ts";
import { sessionHref } from "../session/session-href.ts";
import { Counts } from "../ui/counts.tsx";

/** Sessions whose work waits for a review. They are links: a decision needs the diff. */
export function ReadyReviews({ sessions }: { sessions: readonly Session[] }) {
  const now = useNow(30_000);
  if (sessions.length === 0) return null;
  return (
    <section aria-labelledby="ready-reviews" className="not-first:mt-8">
      <h2 id="ready-reviews" className="mb-2 font-semibold">
        Ready for review
      </h2>
      <ul className="grid gap-1.5">
        {sessions.map(({ id, name, title, review, updatedAt }) => (
          <li key={id}>
            <a
              href={sessionHref(name, "review")}
              data-review={id}
              className="flex min-h-10 items-center gap-3 rounded-lg border border-line px-3.5 py-2 hover:bg-hover/60"
            >
              <span className="min-w-0 flex-1 truncate font-medium">{exactText(title || name)}</span>
              {review && (
                <span className="shrink-0 text-muted text-xs">
                  {fileCount(review.files)} <Counts added={review.added} removed={review.removed} />
                </span>
              )}
              <time
                className="shrink-0 text-2xs text-faint tabular-nums"
                dateTime={updatedAt}
                title={fullTime(updatedAt)}
              >
                {ago(updatedAt, now)}
              </time>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
