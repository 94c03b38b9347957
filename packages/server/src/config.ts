// The only file that reads process.env.
import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { err, ok, type Preset, type Result, searchPath } from "@drover/core";
import { type Assignment, assign, type ConfigError, configError, type Source } from "./config/assignment.ts";
import { type Environment, readEnvironment } from "./config/environment.ts";
import { readConfigFile } from "./config/file.ts";
import { type Settings, sections, settingsByPath, singles } from "./config/settings.ts";
import { type Home, homeAt } from "./home.ts";

export { type ConfigError, describeSource, type Source } from "./config/assignment.ts";
export { LiveConfig, lookedUp } from "./config/live.ts";
export { reportConfig } from "./config/report.ts";
export type { Settings } from "./config/settings.ts";
export { FileWatch } from "./config/watch.ts";

export interface Config extends Settings {
  readonly home: Home;
  /** The named file, or the default one, which may be absent. */
  readonly file: string;
  /** Shipped agents and those of the file, by name. */
  readonly presets: ReadonlyMap<string, Preset>;
  /** Where each value came from, by `section.key`. */
  readonly sources: ReadonlyMap<string, Source>;
}

export interface ConfigQuestion {
  /** `--config`. */
  readonly config?: string | undefined;
  /** `--port`. */
  readonly port?: number | undefined;
  /** `--stop-agents`. */
  readonly stopAgents?: boolean | undefined;
  readonly shipped?: readonly Preset[];
  readonly env?: Environment;
}

/** Command line over environment over file over default. All mistakes are reported at once. */
export async function loadConfig(question: ConfigQuestion = {}): Promise<Result<Config, ConfigError[]>> {
  const { shipped = [], env = process.env } = question;
  const home = findHome(env);
  const named = question.config ?? variable("DROVER_CONFIG", env);
  const file = named === undefined ? home.config : resolve(named);
  const presets = new Map<string, Preset>(shipped.map((preset) => [preset.agent, preset]));

  const read = await readConfigFile({ file, required: named !== undefined, shipped: presets });
  const assignments = [
    ...(read.ok ? read.value.assignments : []),
    ...readEnvironment(env),
    ...readOptions(question),
  ];
  const errors = read.ok ? [] : [...read.error];
  const assigned = new Map<string, Assignment>();
  for (const one of assignments) {
    if (one.ok) assigned.set(one.value.path, one.value);
    else errors.push(one.error);
  }
  for (const agent of read.ok ? read.value.agents : []) {
    if (agent.ok) presets.set(agent.value.agent, agent.value);
    else errors.push(...agent.error);
  }

  const sources = new Map<string, Source>();
  for (const path of settingsByPath.keys())
    sources.set(path, assigned.get(path)?.source ?? { kind: "default" });
  const settings = absolute(settle(assigned), dirname(file));
  errors.push(...checkReach(settings, sources), ...checkRoots(settings, sources));
  return errors.length > 0 ? err(errors) : ok({ ...settings, home, file, presets, sources });
}

export function findHome(env: Environment = process.env): Home {
  return homeAt(resolve(variable("DROVER_HOME", env) ?? resolve(homedir(), ".drover")));
}

/** What this process was started with, for building the environments of others. */
export function serverEnvironment(env: Environment = process.env): Record<string, string> {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(defined), PATH: searchPath(env["PATH"]) };
}

const ofGit = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "XDG_CONFIG_HOME"];

/** git gets the variables that find and configure it, and nothing that could point it elsewhere. */
export const gitEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(serverEnvironment()).filter(([name]) => ofGit.includes(name)));

/** Where git and programs such as gh find a person's credentials, and how they reach other hosts. */
const ofPerson = [
  ...["LOGNAME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
  ...["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME"],
  ...["GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GH_CONFIG_DIR"],
  ...["GITLAB_TOKEN", "GLAB_CONFIG_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  // Some programs know only one spelling.
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
];

/** What programs get that act with a person's own credentials, because that person asked for it. */
export function personalEnvironment(): Record<string, string> {
  const names = [...ofGit, ...ofPerson];
  return Object.fromEntries(Object.entries(serverEnvironment()).filter(([name]) => names.includes(name)));
}

/** Variables for clients and about this program itself. */
export interface ClientEnvironment {
  /** DROVER_URL: a server elsewhere. */
  readonly url?: string;
  /** DROVER_TOKEN. */
  readonly token?: string;
  /** DROVER_NO_AUTOSTART=1 forbids starting a server. */
  readonly autostart: boolean;
  /** DROVER_VERSION: a packager's name for this build. */
  readonly version?: string;
  /** DROVER_SESSION: set if an agent of that session runs this command. */
  readonly session?: string;
}

export function clientEnvironment(env: Environment = process.env): ClientEnvironment {
  const optional = (key: string, name: string) => {
    const value = variable(name, env);
    return value === undefined ? {} : { [key]: value };
  };
  return {
    ...optional("url", "DROVER_URL"),
    ...optional("token", "DROVER_TOKEN"),
    autostart: variable("DROVER_NO_AUTOSTART", env) !== "1",
    ...optional("version", "DROVER_VERSION"),
    ...optional("session", "DROVER_SESSION"),
  };
}

function readOptions({ port, stopAgents }: ConfigQuestion): Result<Assignment, ConfigError>[] {
  const option = (path: string, value: unknown, name: string) =>
    value === undefined ? [] : [assign(path, { value }, { kind: "command line", name })];
  return [
    ...option("server.port", port, "--port"),
    ...option("server.stopAgents", stopAgents, "--stop-agents"),
  ];
}

/** An empty variable counts as unset. */
const variable = (name: string, env: Environment): string | undefined => env[name] || undefined;

/** The table of settings with every value filled in: the one place that asserts its types. */
function settle(assigned: ReadonlyMap<string, Assignment>): Settings {
  const value = (path: string, fallback: unknown) =>
    assigned.has(path) ? assigned.get(path)?.value : fallback;
  const settled = Object.entries(sections).map(([section, keys]) => [
    section,
    Object.fromEntries(
      Object.entries(keys).map(([key, { fallback }]) => [key, value(`${section}.${key}`, fallback)]),
    ),
  ]);
  const alone = Object.entries(singles).map(([key, { fallback }]) => [key, value(key, fallback)]);
  return Object.fromEntries([...settled, ...alone]) as Settings;
}

/** `~` is the user's home; the policy's path is relative to the configuration. */
function absolute(settings: Settings, directory: string): Settings {
  const roots = settings.server.roots.map((root) => root.replace(/^~(?=\/|$)/, homedir()));
  return {
    ...settings,
    server: { ...settings.server, roots },
    policy: resolve(directory, settings.policy.replace(/^~(?=\/|$)/, homedir())),
  };
}

function checkReach({ server }: Settings, sources: ReadonlyMap<string, Source>): ConfigError[] {
  const path = "server.bind";
  const source = sources.get(path);
  if (!source || server.allowRemote || isLoopback(server.bind)) return [];
  const what =
    `${path} ${server.bind} can be reached from other machines. Set server.allowRemote: true if you want that, ` +
    "or bind to 127.0.0.1 and connect through SSH or a TLS proxy";
  return [configError(source, what, path)];
}

const isLoopback = (bind: string) =>
  bind === "localhost" || bind === "::1" || bind === "[::1]" || /^127(\.\d{1,3}){3}$/.test(bind);

function checkRoots({ server }: Settings, sources: ReadonlyMap<string, Source>): ConfigError[] {
  const path = "server.roots";
  const source = sources.get(path);
  const relative = server.roots.find((root) => !isAbsolute(root));
  if (!source || relative === undefined) return [];
  return [
    configError(source, `${path} must be absolute paths, or start with ~; "${relative}" does not`, path),
  ];
}
