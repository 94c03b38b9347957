import { afterAll, beforeAll } from "vitest";
import { openRig, type Rig } from "./support.ts";

/** A busy machine makes git slow, which these tests are not about. */
const patience = { git: { timeout: "30s" } };

/** One rig for several tests of a file: it starts before the first and ends after the last. */
export function sharedRig(options: Parameters<typeof openRig>[0] = {}): Rig {
  let opened: Rig | undefined;
  const rig = (): Rig => {
    if (!opened) throw new Error("The shared rig is only available while tests and their hooks run");
    return opened;
  };
  const close = async () => {
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
  };
  beforeAll(async () => {
    opened = await openRig(async (home) => {
      const { config, ...rest } = typeof options === "function" ? await options(home) : options;
      return { ...rest, config: { ...patience, ...config } };
    });
  });
  afterAll(close);
  return {
    get home() {
      return rig().home;
    },
    get server() {
      return rig().server;
    },
    get client() {
      return rig().client;
    },
    start: (env, args) => rig().start(env, args),
    [Symbol.asyncDispose]: close,
  };
}
