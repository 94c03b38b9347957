export interface PlanLine {
  readonly kind: "heading" | "code" | "text";
  readonly text: string;
}

/** A plan's Markdown line by line, each with its kind. The lines joined are the plan. */
export function planLines(plan: string): PlanLine[] {
  let fence: string | undefined;
  return plan.split("\n").map((text) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === undefined) {
      fence = mark;
      if (mark) return { kind: "code", text };
      return { kind: /^ {0,3}#{1,6}\s/.test(text) ? "heading" : "text", text };
    }
    if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined;
    return { kind: "code", text };
  });
}
