import type { Preset } from "@drover/core";

type PresetFields = Pick<Preset, "agent" | "name" | "driver" | "command"> & Partial<Preset>;

export const preset = (fields: PresetFields): Preset => ({ args: [], env: {}, passEnv: [], ...fields });

/** Where a package keeps its native program, by platform and architecture. */
export const native = (path: (platform: string, arch: string) => string): Record<string, string> =>
  Object.fromEntries(
    ["linux", "darwin"].flatMap((platform) =>
      ["x64", "arm64"].map((arch) => [`${platform}-${arch}`, path(platform, arch)]),
    ),
  );
