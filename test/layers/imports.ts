import { posix } from "node:path";
import { leadingText, type Node, nodes, parse } from "../../scripts/syntax.ts";

/** One source file: its path below the repository's root, and its text. */
export interface Source {
  path: string;
  text: string;
}

const parsed = new WeakMap<Source, readonly Node[]>();

/** Every node of a source, parsed once for all checks. */
function nodesOf(source: Source): readonly Node[] {
  const known = parsed.get(source) ?? nodes(parse(source.path, source.text));
  parsed.set(source, known);
  return known;
}

export interface Import {
  /** A path below the repository's root, a package name, or undefined if it is known only at run time. */
  target: string | undefined;
  isType: boolean;
}

/** `import { type A }` is a value import: the module is still loaded. Only `import type` is erased. */
function importOf(node: Node): { from: Node | null; isType: boolean } | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return { from: node.source, isType: node.importKind === "type" };
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source ? { from: node.source, isType: node.exportKind === "type" } : undefined;
    case "ImportExpression":
      return { from: node.source, isType: false };
    case "TSImportType":
      return { from: node.source, isType: true };
    default:
      return undefined;
  }
}

const workspaces: Record<string, string> = {
  "@drover/core": "packages/core/src/index.ts",
  "@drover/core/line-diff": "packages/core/src/line-diff.ts",
  "@drover/web": "packages/web/src/main.tsx",
  drover: "packages/server/src/main.ts",
};

export function importsOf(source: Source): Import[] {
  return nodesOf(source).flatMap((node): Import[] => {
    const found = importOf(node);
    if (!found) return [];
    const specifier = found.from ? leadingText(found.from) : undefined;
    if (specifier === undefined || specifier === "") return [{ target: undefined, isType: found.isType }];
    const target = specifier.startsWith(".")
      ? posix.join(posix.dirname(source.path), specifier)
      : (workspaces[specifier] ?? specifier);
    return [{ target, isType: found.isType }];
  });
}

const isName = (node: Node, name: string) =>
  (node.type === "Identifier" && node.name === name) || (node.type === "Literal" && node.value === name);

/** Whether a file reads the environment under any of the names Node has for it. */
export function readsEnvironment(source: Source): boolean {
  return nodesOf(source).some((node) => {
    if (node.type === "MemberExpression")
      return isName(node.object, "process") && isName(node.property, "env");
    if (node.type === "VariableDeclarator" && node.init && isName(node.init, "process")) {
      return nodes(node.id).some((each) => isName(each, "env"));
    }
    if (node.type !== "ImportDeclaration" || !/^(node:)?process$/.test(node.source.value)) return false;
    return node.specifiers.some((each) => each.type === "ImportSpecifier" && isName(each.imported, "env"));
  });
}

/** Every string in a file, including types and property names. */
export function stringsOf(source: Source): string[] {
  return nodesOf(source).flatMap((node) => {
    if (node.type === "Literal" && typeof node.value === "string") return [node.value];
    return node.type === "TemplateElement" ? [node.value.raw] : [];
  });
}
