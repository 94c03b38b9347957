import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "rolldown";

/** The innermost package that a file belongs to; undefined for our own. */
const packageOf = (file: string): string[] =>
  /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.slice(1) ?? [];

/** A package's licence text, otherwise what its manifest says. */
function licenceOf(directory: string): { name: string; text: string } {
  const manifest = readFileSync(join(directory, "package.json"), "utf8");
  const { name, license, author } = JSON.parse(manifest) as Record<"name" | "license" | "author", string>;
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(directory, file), "utf8") : `${license}, ${JSON.stringify(author)}\n`;
  return { name, text };
}

/**
 * The licence of every bundled package is included as `licenses/NAME.txt`: most licences require no more than
 * that. Files that are not code are named from `root`.
 */
export function licenses(root: string): Plugin {
  return {
    name: "drover:licenses",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : part.originalFileNames,
      );
      for (const directory of new Set(files.flatMap(packageOf))) {
        const { name, text } = licenceOf(resolve(root, directory));
        const fileName = `licenses/${name.replace("/", "-")}.txt`;
        this.emitFile({ type: "asset", fileName, source: text });
      }
    },
  };
}
