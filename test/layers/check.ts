import { type Import, importsOf, readsEnvironment, type Source, stringsOf } from "./imports.ts";
import { environmentReaders, type Layer, layers, namedElsewhere, ownPackages } from "./table.ts";

function layerOf(path: string): string | undefined {
  return Object.entries(layers).find(([, layer]) =>
    layer.path.endsWith("/") ? path.startsWith(layer.path) : path === layer.path,
  )?.[0];
}

/** The sub-folder of its layer that a file is in, or undefined if it is in the layer itself. */
function folderOf(path: string, layer: Layer): string | undefined {
  const [folder, ...rest] = path.slice(layer.path.length).split("/");
  return rest.length > 0 ? folder : undefined;
}

function faultOf(source: Source, { target, isType }: Import): string | undefined {
  const from = layerOf(source.path) ?? "";
  const layer = layers[from];
  if (!layer) return undefined;
  if (target === undefined) return "imports something that its target is known only at run time";
  if (!target.startsWith("packages/")) {
    const owner = ownPackages[target] ?? from;
    if (owner !== from) return `only ${owner} may import the package ${target}`;
    const isAllowed =
      !layer.packages || layer.packages.some((name) => target === name || target.startsWith(`${name}/`));
    return isAllowed ? undefined : `${from} may not import the package ${target}`;
  }
  const to = layerOf(target);
  if (!to) return `imports ${target}, which belongs to no layer`;
  if (to === from) {
    const [mine, theirs] = [folderOf(source.path, layer), folderOf(target, layer)];
    const isStranger = layer.apart && mine !== undefined && theirs !== undefined && mine !== theirs;
    return isStranger ? `${from}/${mine} may not import ${from}/${theirs}` : undefined;
  }
  const { path, front } = layers[to] ?? layer;
  if (front && target !== path + front) return `${from} may import only ${front} of ${to} (${target})`;
  if (layer.imports.includes(to)) return undefined;
  if (!layer.types?.includes(to)) return `${from} may not import ${to} (${target})`;
  return isType ? undefined : `${from} may import only types of ${to} (${target})`;
}

/** Everything in `sources` that the table does not allow, one sentence each. */
export function layerFaults(sources: readonly Source[]): string[] {
  if (sources.length === 0) return ["no sources were found"];
  return sources.flatMap((source) => {
    const layer = layerOf(source.path);
    if (!layer) return [`${source.path}: belongs to no layer of the table`];
    const faults = importsOf(source).flatMap((each) => faultOf(source, each) ?? []);
    if (!environmentReaders.includes(layer) && readsEnvironment(source)) faults.push("reads the environment");
    return faults.map((fault) => `${source.path}: ${fault}`);
  });
}

/**
 * The sources that name an agent in a string. Agents are data: only their presets, a driver's own folder and the
 * agents' own programs may.
 */
export function namingFaults(sources: readonly Source[], agents: readonly string[]): string[] {
  return sources.flatMap((source) => {
    const { path, text } = source;
    if (ownFolders.some((folder) => folder.test(path))) return [];
    // Parsing is slow, and few sources mention any.
    if (!agents.some((agent) => text.includes(agent))) return [];
    const named = stringsOf(source).filter((each) => agents.includes(each));
    const allowed = Object.entries(namedElsewhere).flatMap(([where, names]) =>
      path.startsWith(where) ? names : [],
    );
    return named.filter((agent) => !allowed.includes(agent)).map((agent) => `${path}: names ${agent}`);
  });
}

const ownFolders = [
  /^packages\/server\/src\/drivers\/presets(\.ts|\/)/,
  /^packages\/server\/src\/drivers\/[^/]+\//,
  /^packages\/server\/src\/agents\//,
];
