import type { ConfigReport, Preset, SettingReport } from "@drover/core";
import { describeSource, type Source } from "./assignment.ts";
import { settingsByPath } from "./settings.ts";

interface Configured {
  readonly home: { readonly directory: string };
  readonly file: string;
  readonly presets: ReadonlyMap<string, Preset>;
  readonly sources: ReadonlyMap<string, Source>;
}

/** A configuration for people: every value with its source; only the names of an agent's variables. */
export function reportConfig(
  config: Configured,
  { problems = [], restart = [] }: Pick<ConfigReport, "problems" | "restart"> = {},
): ConfigReport {
  const settings = [...config.sources].map(([path, source]): [string, SettingReport] => {
    const setting = settingsByPath.get(path);
    const shown = (value: unknown) => (setting?.optional && value === 0 ? "none" : value);
    return [
      path,
      {
        value: shown(valueAt(config, path)),
        from: source.kind,
        source: describeSource(source),
        fallback: shown(setting?.fallback),
        ...(setting?.unit ? { unit: setting.unit } : {}),
      },
    ];
  });
  return {
    home: config.home.directory,
    file: config.file,
    ...(problems.length > 0 ? { problems } : {}),
    ...(restart.length > 0 ? { restart } : {}),
    settings: Object.fromEntries(settings),
    agents: [...config.presets.values()].map(({ env, ...preset }) => ({ ...preset, env: Object.keys(env) })),
  };
}

function valueAt(config: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], config);
}
