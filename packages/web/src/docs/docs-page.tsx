import { useEffect, useRef, useState } from "react";
import { download, saveFile } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

/** The server's API reference. Fetched and shown here because its URL cannot be opened without the login key. */
export function DocsPage() {
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const saving = useAction();
  useEffect(() => {
    const abort = new AbortController();
    let html = "";
    const onText = (text: string) => {
      html += text;
    };
    void download("/docs", { onText, signal: abort.signal }).then((done) => {
      if (abort.signal.aborted) return;
      if (!done.ok) return setProblem(done.error);
      const parsed = new DOMParser().parseFromString(html, "text/html");
      parsed.querySelector("h1")?.remove();
      box.current?.replaceChildren(...(parsed.querySelector("main")?.childNodes ?? []));
    });
    return () => abort.abort();
  }, []);
  return (
    <Page
      title="API reference"
      actions={
        <Button
          disabled={saving.busy}
          onClick={() => void saving.run(() => saveFile("/api/openapi.json", "drover-openapi.json"))}
        >
          Download OpenAPI
        </Button>
      }
    >
      <ProblemText problem={saving.problem ?? problem} />
      <div ref={box} className="api-docs" />
    </Page>
  );
}
