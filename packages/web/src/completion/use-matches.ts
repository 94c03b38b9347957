import { useEffect, useState } from "react";
import { api } from "../transport/http.ts";

/** The latest answer to a GET whose path changes with every key; none while there is no path. */
export function useMatches<T>(path: string | undefined): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    let isWanted = true;
    if (path === undefined) setAnswer(undefined);
    else
      void api<T>("GET", path).then((asked) => {
        // Without an answer there is nothing to suggest; the message can be written all the same.
        if (isWanted) setAnswer(asked.ok ? asked.value : undefined);
      });
    return () => {
      isWanted = false;
    };
  }, [path]);
  return answer;
}
