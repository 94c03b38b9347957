import {
  type DecideReview,
  ok,
  type Review,
  type Reviewed as ReviewAnswer,
  reject,
  reviewMessage,
} from "@drover/core";
import type { Answer, Caller } from "../../service.ts";
import { refuseRunning } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { sendMessage } from "../service/send-message.ts";
import { refresh } from "./refresh.ts";
import type { Reviewed } from "./review-place.ts";

const states = { accept: "accepted", request_changes: "changes_requested", reject: "rejected" } as const;

/** Records a person's decision about the work as it is now. Runs in `inReview`. */
export async function decideReview(
  context: EngineContext,
  reviewed: Reviewed,
  { input, caller }: { readonly input: DecideReview; readonly caller: Caller },
): Answer<ReviewAnswer> {
  const { actor } = reviewed;
  const running = refuseRunning(actor, "decide");
  if (running) return running;
  const found = await refresh(context, reviewed);
  if (!found.ok) return found;
  if (found.value.state === "merging") return merging();
  if (input.work !== undefined && input.work !== found.value.work) return workChanged();
  if (found.value.files === 0 && found.value.ahead === 0) return nothingToMerge();
  const state = states[input.do];
  // The message first: without it, the agent would not know what to change.
  if (input.do === "request_changes") {
    const content = reviewMessage(input);
    const sent = await sendMessage(context, actor, { content, disposition: "queue", strict: false, caller });
    if (!sent.ok) return sent;
    return ok({
      review: await record(reviewed, { ...found.value, state }, { input, caller }),
      receipt: sent.value,
    });
  }
  return ok({ review: await record(reviewed, { ...found.value, state }, { input, caller }) });
}

async function record(
  { actor }: Reviewed,
  review: Review,
  { input, caller: { by } }: { readonly input: DecideReview; readonly caller: Caller },
): Promise<Review> {
  const said = input.message?.trim() ? `: ${input.message.trim()}` : "";
  const notice =
    input.do === "request_changes"
      ? []
      : [
          {
            type: "notice" as const,
            code: input.do === "accept" ? "REVIEW_ACCEPTED" : "REVIEW_REJECTED",
            message: `${input.do === "accept" ? "The work was accepted" : "The work was rejected; its branch stays"}${said}`,
            facts: { by },
          },
        ];
  await actor.log.mailbox.run(() =>
    actor.log.commit({ events: [{ type: "review", ...review, by }, ...notice], durability: "command" }),
  );
  return review;
}

/** What was seen, or accepted, is no longer what there is. */
export const workChanged = () =>
  reject("INPUT_CHANGED", "The work has changed since you looked at it; review it, then decide again");

export const merging = () =>
  reject("MERGE_REFUSED", "The work is being merged; wait until that is done", { reason: "merging" });

export const nothingToMerge = () =>
  reject(
    "NOTHING_TO_MERGE",
    "The session has changed nothing beyond its base, so there is nothing to review or merge",
  );
