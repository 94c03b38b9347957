import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type CommentedLines, linesIn, type RowRange, rowsIn } from "./commented-lines.ts";
import type { DiffRow } from "./rows.ts";

interface LineChoiceOptions {
  /** Contains the line numbers: buttons with `data-row`, and `data-side` where there are two columns. */
  readonly body: RefObject<HTMLElement | null>;
  readonly rows: readonly DiffRow[];
  readonly onChoose: (lines: CommentedLines) => void;
}

/**
 * Chooses lines to comment on: a click takes one. A drag, a click with Shift, or Shift and the arrow keys take several.
 */
export function useLineChoice({ body, rows, onChoose }: LineChoiceOptions) {
  const [range, setRange] = useState<RowRange>();
  const latest = useRef<RowRange>(undefined);
  latest.current = range;
  /** Where the next click with Shift begins. */
  const anchor = useRef<number>(undefined);
  const stopDrag = useRef<() => void>(undefined);
  useEffect(() => () => stopDrag.current?.(), []);
  // Numbers of rows change with the rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are why
  useEffect(() => {
    setRange(undefined);
    anchor.current = undefined;
  }, [rows]);

  const choose = (chosen: RowRange) => {
    const lines = linesIn(rows, chosen);
    anchor.current = chosen.anchor;
    setRange(undefined);
    if (lines) onChoose(lines);
  };

  const onClick = (event: MouseEvent) => {
    const at = rowOf(buttonAt(event.target));
    if (at === undefined) return;
    const from = event.shiftKey ? anchor.current : undefined;
    choose(range?.head === at ? range : { anchor: from ?? at, head: at });
  };

  const onPointerDown = (event: PointerEvent) => {
    const button = buttonAt(event.target);
    const at = rowOf(button);
    // A finger scrolls.
    if (at === undefined || event.button !== 0 || event.shiftKey || event.pointerType === "touch") return;
    const over = (move: globalThis.PointerEvent) => {
      const head = rowOf(buttonBeside(move.target, button?.dataset["side"]));
      if (head !== undefined) setRange(head === at ? undefined : { anchor: at, head });
    };
    const stop = () => {
      removeEventListener("pointermove", over);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
    };
    // Released on the line where it began, it is a click.
    const up = () => {
      stop();
      if (latest.current) choose(latest.current);
    };
    const cancel = () => {
      stop();
      setRange(undefined);
    };
    addEventListener("pointermove", over);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    stopDrag.current = stop;
  };

  /** The text between two clicks would be selected. */
  const onMouseDown = (event: MouseEvent) => {
    if (event.shiftKey && buttonAt(event.target)) event.preventDefault();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const button = buttonAt(event.target);
    const at = rowOf(button);
    if (!button || at === undefined) return;
    if (event.key === "Escape") setRange(undefined);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = neighborOf(body.current, button, step);
    const head = rowOf(next);
    if (!next || head === undefined) return;
    const extended = { anchor: range?.anchor ?? at, head };
    // Lines that are hidden between them cannot be chosen.
    if (event.shiftKey && !rowsIn(rows, { anchor: at, head }).includes(head)) return;
    setRange(event.shiftKey ? extended : undefined);
    next.focus();
  };

  const onBlur = (event: { readonly relatedTarget: EventTarget | null }) => {
    if (!(event.relatedTarget instanceof Node && body.current?.contains(event.relatedTarget))) {
      setRange(undefined);
    }
  };

  const chosen = useMemo(() => (range ? rowsIn(rows, range) : []), [rows, range]);
  return { chosen, handlers: { onClick, onPointerDown, onMouseDown, onKeyDown, onBlur } };
}

const buttonAt = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>("button[data-row]")) || undefined;

/** The number of the line that an element belongs to. */
function buttonBeside(target: EventTarget | null, side: string | undefined): HTMLElement | undefined {
  const line = target instanceof Element ? target.closest("[data-line]") : null;
  const buttons = [...(line?.querySelectorAll<HTMLElement>("button[data-row]") ?? [])];
  return buttons.find(({ dataset }) => dataset["side"] === side) ?? buttons[0];
}

function rowOf(button: HTMLElement | undefined): number | undefined {
  const row = button?.dataset["row"];
  return row === undefined ? undefined : Number(row);
}

/** The next line number in the same column, or the one before. */
function neighborOf(body: HTMLElement | null, button: HTMLElement, step: number): HTMLElement | undefined {
  const { side } = button.dataset;
  const at = rowOf(button) ?? 0;
  const inOrder = [...(body?.querySelectorAll<HTMLElement>("button[data-row]") ?? [])]
    .filter(({ dataset, offsetParent }) => dataset["side"] === side && offsetParent !== null)
    .map((each) => ({ each, row: rowOf(each) ?? 0 }))
    .filter(({ row }) => (row - at) * step > 0)
    .toSorted((a, b) => (a.row - b.row) * step);
  return inOrder[0]?.each;
}
