import { exactText, type Session } from "@drover/core";
import { memo, useEffect, useRef, useState } from "react";
import { kilobytes } from "../format/size.ts";
import { saveFile } from "../transport/http.ts";
import { Button, TextButton } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { type LogPage, type LogStream, logAddress, readAfter, readBefore, readEnd } from "./raw-log.ts";
import { useLogPages } from "./use-log-pages.ts";

const streams: readonly LogStream[] = ["stdout", "stderr"];

/** Every byte the agent wrote. Hidden characters are spelled out. */
export function RawLogPage({ session }: { session: Session }) {
  const [stream, setStream] = useState<LogStream>("stdout");
  const { busy, problem, run } = useAction();
  const save = () =>
    run(() => saveFile(logAddress({ sessionId: session.id, stream }), `${session.name}.${stream}.log`));
  return (
    <section aria-label="Raw log" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b column-bar py-2">
        <fieldset className="flex rounded-md bg-track p-0.5">
          <legend className="sr-only">Stream</legend>
          {streams.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === stream}
              className={`h-6 rounded-sm px-2.5 font-mono text-xs ${name === stream ? "bg-thumb text-ink shadow-float" : "text-muted"}`}
              onClick={() => setStream(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        <TextButton
          className="flex items-center text-xs disabled:text-muted max-md:min-h-10"
          disabled={busy}
          onClick={() => void save()}
        >
          {busy ? "Downloading…" : "Download all"}
        </TextButton>
        <ProblemText problem={problem} />
      </div>
      <Lines key={`${session.id} ${stream}`} session={session} stream={stream} />
    </section>
  );
}

function Lines({ session, stream }: { session: Session; stream: LogStream }) {
  const source = { sessionId: session.id, stream };
  const { pages, problem, busy, load } = useLogPages();
  const box = useRef<HTMLDivElement>(null);
  const first = pages[0];
  const last = pages.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; the parent's key changes with the source
  useEffect(() => void load(() => readEnd(source), "replace"), []);
  // Opens at its end, with the latest output.
  const isOpen = pages.length > 0;
  useEffect(() => {
    if (isOpen) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [isOpen]);
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={stream}
      aria-live="off"
      className="column-scroller focus-inset min-h-0 flex-1 font-mono text-xs"
    >
      <div className="column py-3">
        {first && first.from > 0 && (
          <Button
            disabled={busy}
            className="mb-2"
            onClick={() => void load(() => readBefore(source, first.from), "before")}
          >
            Show earlier ({kilobytes(first.from)} more)
          </Button>
        )}
        {pages.map((page) => (
          <PageText key={page.from} page={page} />
        ))}
        {last && last.total === 0 && (
          <div className="font-sans text-sm">
            <Empty title={`Nothing on ${stream} yet`}>
              <p>Everything the agent writes to {stream} appears here.</p>
            </Empty>
          </div>
        )}
        <ProblemText problem={problem} />
        {last && last.total > 0 && (
          <div className="mt-2 flex items-center gap-3 font-sans">
            <Button disabled={busy} onClick={() => void load(() => readAfter(source, last.to), "after")}>
              {last.to < last.total ? `Show later (${kilobytes(last.total - last.to)} more)` : "Refresh"}
            </Button>
            <span className="text-faint tabular-nums">
              {last.to.toLocaleString()} of {last.total.toLocaleString()} bytes
            </span>
          </div>
        )}
      </div>
    </div>
  );
}

const PageText = memo(function PageText({ page }: { page: LogPage }) {
  return <pre className="whitespace-pre-wrap break-all">{exactText(page.text)}</pre>;
});
