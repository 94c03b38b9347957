import type { Alarm, AlarmKind } from "../../ports.ts";
import type { SessionActor } from "../session/actor.ts";

type Handler = (actor: SessionActor, alarm: Alarm) => Promise<void>;

/** What each kind of alarm does when it fires. It may fire twice, so each does nothing the second time. */
export const alarmHandlers: { readonly [K in AlarmKind]: Handler } = {
  interaction: (actor, { id }) => actor.expire(id),
  attempt: async (actor) => actor.deliverDue(),
  message: (actor) => actor.startNext(),
};
