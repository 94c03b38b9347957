// The allowed imports: docs/ARCHITECTURE.md as data. A folder that is not listed may not exist.

export interface Layer {
  /** Below the repository's root; a folder ends in a slash. */
  path: string;
  /** The layers it may import. */
  imports: readonly string[];
  /** The layers it may import only types from. */
  types?: readonly string[];
  /** The packages it may import; any, if omitted. */
  packages?: readonly string[];
  /** Its sub-folders may not import each other. */
  apart?: boolean;
  /** The only file of it that other layers may import. */
  front?: string;
}

const server = "packages/server/src";

export const layers: Record<string, Layer> = {
  core: { path: "packages/core/src/", imports: [], packages: ["zod", "diff"] },
  ports: { path: `${server}/ports.ts`, imports: ["core", "port"] },
  port: { path: `${server}/ports/`, imports: ["core"] },
  service: { path: `${server}/service.ts`, imports: ["core", "ports", "services"] },
  services: { path: `${server}/service/`, imports: ["core", "ports"] },

  process: { path: `${server}/process/`, imports: ["core", "ports"] },
  store: { path: `${server}/store/`, imports: ["core", "ports"], front: "index.ts" },
  drivers: { path: `${server}/drivers/`, imports: ["core", "ports", "process"], apart: true },
  git: { path: `${server}/git/`, imports: [] },
  workspace: { path: `${server}/workspace/`, imports: ["core", "ports", "process", "git"] },
  tools: { path: `${server}/tools/`, imports: ["core", "ports", "process"] },
  accounts: { path: `${server}/accounts/`, imports: ["core", "ports", "process"] },
  context: { path: `${server}/context/`, imports: ["core", "ports", "git"] },

  engine: { path: `${server}/engine/`, imports: ["core", "ports", "service"] },
  operations: { path: `${server}/operations/`, imports: ["core", "ports", "service"] },
  api: { path: `${server}/api/`, imports: ["core", "ports", "service", "operations", "http"] },
  // Finds a server by its process. main passes in what some commands do without one.
  cli: {
    path: `${server}/cli/`,
    imports: ["core", "config", "settings", "home", "version", "process", "doctor", "programs", "http"],
    types: ["api", "ports", "service", "lifecycle"],
  },
  // Agents' programs on this machine: where they are, which version, whether logged in; installs them.
  programs: { path: `${server}/programs/`, imports: ["core", "process"], types: ["service"] },
  doctor: {
    path: `${server}/doctor/`,
    imports: ["core", "home", "process", "programs"],
    types: ["service", "ports"],
  },
  agents: { path: `${server}/agents/`, imports: ["core", "version"], apart: true },

  home: { path: `${server}/home.ts`, imports: [] },
  settings: { path: `${server}/config/`, imports: ["core", "log", "process"] },
  config: { path: `${server}/config.ts`, imports: ["core", "home", "settings"] },
  version: { path: `${server}/version.ts`, imports: ["config"] },
  log: { path: `${server}/log.ts`, imports: [], types: ["ports"] },
  http: { path: `${server}/node-http.ts`, imports: [] },
  lifecycle: { path: `${server}/lifecycle.ts`, imports: ["home", "process"] },
  // Owns a home and its server while it serves; app assembles the server itself.
  serve: {
    path: `${server}/serve.ts`,
    imports: ["app", "config", "home", "lifecycle", "log", "version", "process", "store", "drivers"],
  },
  // What the configuration means for the engine and its adapters.
  givens: { path: `${server}/givens.ts`, imports: ["config"], types: ["engine", "workspace"] },
  app: {
    path: `${server}/app.ts`,
    imports: [
      ...["core", "ports", "service", "config", "givens", "log", "version"],
      ...[
        "process",
        "store",
        "drivers",
        "workspace",
        "tools",
        "accounts",
        "context",
        "engine",
        "api",
        "doctor",
        "programs",
      ],
    ],
  },
  // Passes the command line what it does without a server.
  main: {
    path: `${server}/main.ts`,
    imports: ["core", "serve", "cli", "agents", "config", "drivers", "store", "version", "workspace"],
  },

  web: { path: "packages/web/src/", imports: ["core"], types: ["api"] },
};

/** Packages that only one layer may import. */
export const ownPackages: Readonly<Record<string, string>> = { "node:sqlite": "store", diff: "core" };

/**
 * The layers that may read the environment; others get what they need. An agent is a separate program, and its
 * environment is the one the process layer built for it.
 */
export const environmentReaders: readonly string[] = ["config", "agents"];

/** Files and folders that may name an agent although agents are data, and which ones. */
export const namedElsewhere: Readonly<Record<string, readonly string[]>> = {
  // The driver of that name.
  "packages/core/src/agent.ts": ["claude"],
  // A kind of prompt, not the agent of that name.
  "packages/core/src/session/attempt.ts": ["continue"],
  // The mapper of that name belongs to another driver of the same agent, and is passed on here.
  "packages/server/src/drivers/index.ts": ["claude", "claude-print"],
  // The tour and the demonstration are performed by the agent that is part of Drover.
  "packages/server/src/cli/commands/demo.ts": ["demo"],
  "packages/server/src/cli/commands/demo-workers.ts": ["demo"],
  "packages/server/src/cli/declare-sessions.ts": ["demo"],
  "packages/server/src/cli/commands/run.ts": ["demo"],
  "packages/web/src/": ["demo"],
};
