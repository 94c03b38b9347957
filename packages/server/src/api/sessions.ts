import { reject } from "@drover/core";
import type { z } from "zod";
import type { Service } from "../service.ts";
import { given } from "./input/given.ts";
import type { stateQuery } from "./schemas.ts";

type ListQuery = Parameters<Service["sessions"]["list"]>[0];
type Undefinable<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Lists sessions, in the states this version knows. */
export function listSessions(
  { sessions }: Service,
  {
    state,
    ...query
  }: Omit<Undefinable<ListQuery>, "limit" | "state"> & {
    readonly limit: number;
    readonly state?: z.infer<typeof stateQuery>;
  },
): ReturnType<Service["sessions"]["list"]> {
  if (state === "queued") {
    const message = "No session waits for a slot: this version of Drover has no workers yet";
    return Promise.resolve(reject("UNSUPPORTED", message, { what: "state queued" }));
  }
  return sessions.list(given({ ...query, state }));
}
