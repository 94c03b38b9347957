import { isDeepStrictEqual } from "node:util";
import type { Preset, Result } from "@drover/core";
import type { ConfigError, Source } from "./assignment.ts";
import { type Settings, settingsByPath } from "./settings.ts";

/** What a configuration consists of, wherever it is stored. */
export interface Configured extends Settings {
  readonly presets: ReadonlyMap<string, Preset>;
  readonly sources: ReadonlyMap<string, Source>;
}

/** The result of reading a file again. */
export type Reloaded =
  | { readonly outcome: "same" }
  | { readonly outcome: "wrong"; readonly problems: readonly string[] }
  | {
      readonly outcome: "changed";
      /** Settings and agents that have changed, as `section.key` and `agents.NAME`. */
      readonly changed: readonly string[];
      /** Settings that take effect after a restart. */
      readonly restart: readonly string[];
    };

/** The current configuration: what a server started with, and the reloadable parts as they were last read. */
export class LiveConfig<C extends Configured> {
  readonly #started: C;
  readonly #load: () => Promise<Result<C, ConfigError[]>>;
  #current: C;
  #problems: readonly string[] = [];
  #restart: readonly string[] = [];
  readonly #listeners: (() => void)[] = [];

  constructor(started: C, load: () => Promise<Result<C, ConfigError[]>>) {
    this.#started = started;
    this.#current = started;
    this.#load = load;
  }

  get current(): C {
    return this.#current;
  }

  /** What is wrong with the file now; until it is fixed, the previous configuration applies. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Settings that differ between the file and this server, and wait for a restart. */
  get restart(): readonly string[] {
    return this.#restart;
  }

  /** Called after each reload that changed something. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async reload(): Promise<Reloaded> {
    const [problems, restart] = [this.#problems, this.#restart];
    const loaded = await this.#load();
    this.#problems = loaded.ok ? [] : loaded.error.map(({ message }) => message);
    if (!loaded.ok) {
      const isKnown = isDeepStrictEqual(problems, this.#problems);
      return isKnown ? { outcome: "same" } : { outcome: "wrong", problems: this.#problems };
    }
    const before = this.#current;
    this.#restart = settingsNeedingRestart.filter((path) => differ(path, this.#started, loaded.value));
    this.#current = withSettings(loaded.value, this.#restart, this.#started);
    const changed = [
      ...[...settingsByPath.keys()].filter((path) => differ(path, before, this.#current)),
      ...changedAgents(before.presets, this.#current.presets).map((agent) => `agents.${agent}`),
    ];
    const isSame = changed.length === 0 && problems.length === 0 && isDeepStrictEqual(restart, this.#restart);
    if (isSame) return { outcome: "same" };
    for (const listener of this.#listeners) listener();
    return { outcome: "changed", changed, restart: this.#restart };
  }
}

const settingsNeedingRestart = [...settingsByPath].flatMap(([path, { restart }]) => (restart ? [path] : []));

type Tree = Readonly<Record<string, unknown>>;

const valueAt = (settings: Settings, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (value as Tree)[key], settings);

const differ = (path: string, one: Settings, other: Settings): boolean =>
  !isDeepStrictEqual(valueAt(one, path), valueAt(other, path));

/** The configuration with some settings, and their sources, taken from another one. */
function withSettings<C extends Configured>(config: C, paths: readonly string[], other: C): C {
  const sources = new Map(config.sources);
  const sections: Record<string, Tree> = {};
  for (const path of paths) {
    const [section = "", key = ""] = path.split(".");
    const source = other.sources.get(path);
    if (source) sources.set(path, source);
    const values = sections[section] ?? (config[section as keyof Settings] as unknown as Tree);
    sections[section] = { ...values, [key]: valueAt(other, path) };
  }
  return { ...config, ...sections, sources };
}

function changedAgents(before: ReadonlyMap<string, Preset>, now: ReadonlyMap<string, Preset>): string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), now.get(name)));
}

/** An object whose values are looked up each time they are used. */
export function lookedUp<T extends object>(values: { readonly [K in keyof T]: () => T[K] }): T {
  const getters = Object.entries<() => unknown>(values).map(([key, get]) => [key, { get, enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as T;
}
