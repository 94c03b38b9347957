import { searchPath } from "@drover/core";

type Variables = Readonly<Record<string, string | undefined>>;

export interface AgentEnvironmentSources {
  /** The server's own environment. */
  readonly server: Variables;
  readonly preset?: Variables | undefined;
  /** The account's variables; present, even if empty, whenever the session has an account. */
  readonly account?: Variables | undefined;
  readonly project?: Variables | undefined;
  /** Variables the preset takes from the server's environment if no account is set. */
  readonly passEnv?: readonly string[] | undefined;
  /** The one of them that says where the agent keeps its conversations: all accounts share them. */
  readonly homeEnv?: string | undefined;
  /** Variables with logins: an account replaces all of them. */
  readonly loginEnv?: readonly string[] | undefined;
  readonly sessionId: string;
  /** The server's home, where its agents' own commands find it. */
  readonly home?: string | undefined;
  /** The first and the last port of its own, if it has any. */
  readonly ports?: readonly [number, number] | undefined;
}

/** Identifies every process of a session (see marks.ts). */
export const MARK = "DROVER_SESSION";

const INHERITED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TZ",
  "TERM",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
]);
const INHERITED_PREFIXES = ["LC_", "XDG_"];
/** People also write them in lower case; agents get one spelling. */
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/**
 * The complete environment of an agent: built, never inherited. Later sources win; the account comes after the project,
 * so that the agent uses what an account switch sets. The mark is set by Drover.
 */
export function agentEnvironment(sources: AgentEnvironmentSources): Record<string, string> {
  const { server, account, passEnv = [], homeEnv, loginEnv = [] } = sources;
  const passed = account === undefined ? passEnv : passEnv.filter((name) => name === homeEnv);
  const isReplaced = (name: string) => account !== undefined && loginEnv.includes(name);
  const inherited = Object.keys(server).filter(
    (name) => INHERITED.has(name) || INHERITED_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  const environment: Record<string, string> = {};
  const layers = [
    ...[pick(server, inherited), proxies(server), pick(server, passed)],
    ...[sources.preset, sources.project],
  ];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && name !== MARK) environment[name] = value;
  };
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) if (!isReplaced(name)) add(name, value);
  }
  for (const [name, value] of Object.entries(account ?? {})) add(name, value);
  // Otherwise an agent would look for its own tools inside the repository.
  environment["PATH"] = searchPath(environment["PATH"]);
  environment[MARK] = sources.sessionId;
  if (sources.home && sources.home !== `${environment["HOME"]}/.drover`)
    environment["DROVER_HOME"] ??= sources.home;
  if (sources.ports) {
    const [first, last] = sources.ports;
    environment["DROVER_PORT_BASE"] = String(first);
    environment["DROVER_PORT_COUNT"] = String(last - first + 1);
  }
  return environment;
}

const proxies = (server: Variables): Variables =>
  Object.fromEntries(PROXIES.map((name) => [name, server[name] ?? server[name.toLowerCase()]]));

function pick(variables: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}
