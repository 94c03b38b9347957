import type { HighlightReply, HighlightRequest } from "./highlight-worker.ts";
import type { Line } from "./highlighter.ts";

let worker: Worker | undefined;
let made = 0;
const blocks = new Map<number, (reply: HighlightReply) => void>();

function ask(request: HighlightRequest): void {
  if (!worker) {
    worker = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<HighlightReply>) => blocks.get(data.block)?.(data);
  }
  worker.postMessage(request);
}

/** The colours of `code`, which may be an earlier version of the code on the page. */
export interface Coloured {
  readonly code: string;
  readonly lines: readonly Line[];
}

/** The colours of code that does not grow; none for an unknown language. */
export function highlightOnce(code: string, language: string): Promise<readonly Line[]> {
  return new Promise((resolve) => {
    const block = new HighlightBlock(({ lines }) => {
      block[Symbol.dispose]();
      resolve(lines);
    });
    block.read(code, language);
  });
}

/** One block of code and its colours. Code that grows quickly is highlighted in larger steps. */
export class HighlightBlock implements Disposable {
  private readonly id = ++made;
  private readonly onChange: (coloured: Coloured) => void;
  private lines: readonly Line[] = [];
  private reading: string | undefined;
  private next: { readonly code: string; readonly language: string } | undefined;

  constructor(onChange: (coloured: Coloured) => void) {
    this.onChange = onChange;
    blocks.set(this.id, (reply) => this.take(reply));
  }

  read(code: string, language: string): void {
    this.next = { code, language };
    if (this.reading === undefined) this.goOn();
  }

  [Symbol.dispose](): void {
    blocks.delete(this.id);
    if (worker) ask({ block: this.id });
  }

  private goOn(): void {
    const { next } = this;
    if (!next) return;
    this.next = undefined;
    this.reading = next.code;
    ask({ block: this.id, ...next });
  }

  private take({ from, lines }: HighlightReply): void {
    const code = this.reading ?? "";
    this.reading = undefined;
    this.lines = [...this.lines.slice(0, from), ...lines];
    this.onChange({ code, lines: this.lines });
    this.goOn();
  }
}
