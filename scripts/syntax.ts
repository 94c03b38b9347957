// Parses TypeScript into a tree, for checks on the source code.
import type { Node, Program } from "@oxc-project/types";
import { parseAst } from "rolldown/parseAst";

export type { Node };

export function parse(path: string, text: string): Program {
  return parseAst(text, { lang: path.endsWith(".tsx") ? "tsx" : "ts" }, path);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** The node and everything below it, in source order. */
export function nodes(node: Node, found: Node[] = []): Node[] {
  found.push(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) nodes(child, found);
  }
  return found;
}

/** The text of a string literal, or of a template up to its first substitution. */
export function leadingText(node: Node | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
