import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";

/** The settings of a repository and its user that Drover follows; each key in lower case, as git writes it. */
export type Settings = ReadonlyMap<string, Setting>;

/** Undefined for a key without `=`, which means true. Latin 1 stands for bytes. */
type Setting = string | undefined;

/**
 * Only these are read; git runs with no others. Most settings change what git shows, and many name programs: a list of
 * those to turn off would never be complete.
 */
const KEYS = [
  "core.autocrlf",
  "core.eol",
  "core.excludesfile",
  "core.filemode",
  "core.precomposeunicode",
  "core.sharedrepository",
  "core.sparsecheckout",
  "init.defaultbranch",
  "user.email",
  "user.name",
] as const;

/** Not for the git that reads files: Drover itself uses these. */
const OWN_KEYS = ["init.defaultbranch", "user.email", "user.name"];

/** Git exits with 1 if none of the keys is set. */
export const SETTINGS_ARGS = ["config", "-z", "--get-regexp", `^(${KEYS.join("|").replaceAll(".", "\\.")})$`];

/** Reads the output of `SETTINGS_ARGS`: key, newline and value, or only the key. The last of several values wins. */
export function parseSettings(output: Buffer): Settings {
  const entries = output.toString("latin1").split("\0").slice(0, -1);
  return new Map(
    entries.map((entry): [string, Setting] => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, undefined] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

export const isSparse = (settings: Settings): boolean =>
  settings.has("core.sparsecheckout") &&
  /^(true|yes|on|[1-9]\d*)$/i.test(settings.get("core.sparsecheckout") ?? "true");

/** The settings git needs to keep a sparse index as it is. */
export const withSparseIndex = (settings: Settings): Settings =>
  new Map([
    ...settings,
    ["core.sparsecheckout", "true"],
    ["core.sparsecheckoutcone", "true"],
    ["index.sparse", "true"],
  ]);

/** Who commits. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Git drops these characters at both ends of a name, and refuses a name that has no others. */
const CRUD = /^[\0-\x20.,:;<>"\\']*$/;

/** The user's identity; undefined if git has none that it would use. */
export function identityOf(settings: Settings): Identity | undefined {
  const [name, email] = ["user.name", "user.email"].map((key) =>
    Buffer.from(settings.get(key) ?? "", "latin1").toString(),
  );
  return !name || !email || CRUD.test(name) || CRUD.test(email) ? undefined : { name, email };
}

/** Never taken from the repository: these decide whether git checks files or trusts its records. */
const FIXED = {
  "core.bare": "false",
  "core.commitgraph": "false",
  "core.fsmonitor": "false",
  "core.hookspath": "/dev/null",
  "core.repositoryformatversion": "1",
  "core.splitindex": "false",
  "core.untrackedcache": "false",
} as const;

interface Place {
  readonly top: string;
  readonly gitDirectory: string;
  readonly objectFormat: string;
}

/** The complete configuration of the git that reads files, as the content of a file. */
export async function writeSettings(settings: Settings, place: Place): Promise<Buffer> {
  const followed = new Map<string, Setting>(settings);
  for (const key of OWN_KEYS) followed.delete(key);
  // False would hide that a file became executable. It is meant for file systems on which every file is executable.
  if (!(await lacksModes(place))) followed.delete("core.filemode");
  followed.set("core.ignorecase", String(await ignoresCase(place.top)));
  followed.set("extensions.objectformat", place.objectFormat);
  const entries = [...followed, ...Object.entries(FIXED)].map(([key, value]) => ({ key, value }));
  return Buffer.from(configText(entries), "latin1");
}

/** The content of a configuration file with these settings, in their order. */
export function configText(
  entries: readonly { readonly key: string; readonly value?: string | undefined }[],
): string {
  const lines = entries.map(({ key, value }) => {
    const [start, end] = [key.indexOf("."), key.lastIndexOf(".")];
    const part = start === end ? "" : ` "${key.slice(start + 1, end).replace(/[\\"]/g, "\\$&")}"`;
    const said = value === undefined ? "" : ` = "${escaped(value)}"`;
    return `[${key.slice(0, start)}${part}]\n${key.slice(end + 1)}${said}\n`;
  });
  return lines.join("");
}

const escaped = (value: string): string =>
  value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/**
 * File systems of Linux that may have no executable bits (statfs(2)): FAT, exFAT, NTFS (two drivers), CIFS, SMB, 9P,
 * VirtualBox and FUSE. A repository can make its files executable, but it can't choose its file system.
 */
const MODELESS = new Set([
  0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e, 0xff534d42, 0xfe534d42, 0x01021997, 0x786f4256, 0x65735546,
]);

async function lacksModes({ top, gitDirectory }: Place): Promise<boolean> {
  const found = await statfs(top).catch(() => undefined);
  return found !== undefined && MODELESS.has(found.type) && isExecutable(join(gitDirectory, "HEAD"));
}

const isExecutable = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mode }) => (mode & 0o111) !== 0,
    () => false,
  );

/** Determined from the file system: a repository that claims it could hide `makefile` behind `Makefile`. */
async function ignoresCase(top: string): Promise<boolean> {
  const [lower, upper] = await Promise.all(
    [".git", ".GIT"].map((name) => stat(join(top, name)).catch(() => undefined)),
  );
  return lower !== undefined && lower.ino === upper?.ino && lower.dev === upper.dev;
}
