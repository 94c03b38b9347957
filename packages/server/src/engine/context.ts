import type { Bus } from "./bus.ts";
import type { EngineDeps } from "./deps.ts";
import type { Feed } from "./reactions/feed.ts";
import type { Projects } from "./service/projects.ts";
import type { InteractionClock } from "./session/interaction-clock.ts";
import type { Registry } from "./session/registry.ts";

/** Everything the parts of the engine share. */
export interface EngineContext {
  readonly deps: EngineDeps;
  readonly registry: Registry;
  readonly clock: InteractionClock;
  readonly bus: Bus;
  readonly feed: Feed;
  readonly projects: Projects;
}
