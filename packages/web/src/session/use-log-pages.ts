import type { Result } from "@drover/core";
import { useState } from "react";
import type { Problem } from "../transport/wire.ts";
import { useAction } from "../ui/use-action.ts";
import type { LogPage } from "./raw-log.ts";

/** At most 2 MB of text. Pages at the other end are dropped. */
const maxPages = 32;

type Place = "replace" | "before" | "after";

/** Neighbouring pages of a raw log. */
export function useLogPages() {
  const { busy, problem, run } = useAction();
  const [pages, setPages] = useState<readonly LogPage[]>([]);
  const load = (read: () => Promise<Result<LogPage, Problem>>, place: Place) =>
    run(async () => {
      const page = await read();
      if (page.ok) setPages((now) => put(now, page.value, place));
      return page;
    });
  return { pages, busy, problem, load };
}

function put(pages: readonly LogPage[], page: LogPage, place: Place): readonly LogPage[] {
  if (place === "replace") return [page];
  if (place === "before") return [page, ...pages].slice(0, maxPages);
  const last = pages.at(-1);
  // Only the total may be new.
  if (last && page.text === "") return [...pages.slice(0, -1), { ...last, total: page.total }];
  return [...pages, page].slice(-maxPages);
}
