import { afterAll, beforeAll } from "vitest";
import { openRig, type Rig } from "./support.ts";

/** One rig for several tests of a file: it starts before the first and ends after the last. */
export function sharedRig(options: Parameters<typeof openRig>[0]): Rig {
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
    opened = await openRig(options);
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
