import type { AlarmRunner } from "./alarms/runner.ts";
import type { Background } from "./background.ts";
import type { Bus } from "./bus.ts";
import type { EngineDeps } from "./deps.ts";
import type { Feed } from "./reactions/feed.ts";
import type { Projects } from "./service/projects.ts";
import type { Registry } from "./session/registry.ts";

/** Everything the parts of the engine share. */
export interface EngineContext {
  readonly deps: EngineDeps;
  readonly registry: Registry;
  readonly alarms: AlarmRunner;
  readonly bus: Bus;
  readonly feed: Feed;
  readonly projects: Projects;
  readonly background: Background;
  /** Aborts when the server shuts down. */
  readonly stopping: AbortSignal;
}
