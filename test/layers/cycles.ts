import { importsOf, type Source } from "./imports.ts";

/** Every import cycle among the sources, as the path around it. Imports of types count like all others. */
export function importCycles(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map((source) => [source.path, sourcesImported(source)]));
  const cycles: string[] = [];
  /** Files whose imports were followed to the end. */
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return cycles;
}

const sourcesImported = (source: Source): string[] =>
  importsOf(source).flatMap(({ target }) => (target?.startsWith("packages/") ? [target] : []));
