import type { Interaction } from "@drover/core";
import { useRef } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import { isReadyForReview } from "../state/ready.ts";
import { useStore } from "../state/store.ts";
import { Empty } from "../ui/empty.tsx";
import { InboxIcon } from "../ui/icons.tsx";
import { Page } from "../ui/page.tsx";
import { InboxEntry } from "./inbox-entry.tsx";
import { NotificationOffer } from "./notification-offer.tsx";
import { ReadyReviews } from "./ready-reviews.tsx";

/**
 * The open requests of all sessions, and below them the work to review. Settled ones keep their place until the person leaves the page; expired ones stay
 * until someone asks again or dismisses them.
 */
export function InboxPage() {
  const { inbox, sessions } = useDrover();
  const all = useStore(sessions.state, (state) => state.sessions);
  const ready = all.filter(isReadyForReview);
  const { loaded, open, settled } = useStore(inbox.state, (state) => state);
  const list = useRef<HTMLDivElement>(null);
  // Show only settled requests that were open while this page was visible.
  const seen = useRef(new Set<string>());
  for (const { id } of open) seen.current.add(id);
  const expiredList = useStore(inbox.expired.state, (state) => state);
  // Either list may be newer than the other.
  const expired = expiredList.items.filter(({ id }) => !open.some((one) => one.id === id));
  const isExpired = (interaction: Interaction) => expired.some(({ id }) => id === interaction.id);
  const seenSettled = settled.filter((one) => seen.current.has(one.id) && !isExpired(one));
  const entries = inOrder([...open, ...expired, ...seenSettled]);

  const step = (by: 1 | -1) => {
    const cards = [
      ...(list.current?.querySelectorAll<HTMLElement>("[data-interaction], [data-review]") ?? []),
    ];
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = at < 0 ? cards.at(by > 0 ? 0 : -1) : cards[at + by];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const openSession = () => {
    const card = document.activeElement?.closest<HTMLElement>("[data-interaction]");
    const chosen = open.find(({ id }) => id === card?.dataset["interaction"]);
    if (chosen) navigate(sessionHref(chosen.sessionId));
    const review = document.activeElement?.closest<HTMLElement>("[data-review]");
    review?.click();
  };
  useShortcuts({ next: () => step(1), previous: () => step(-1), open: openSession });

  return (
    <Page title={open.length > 0 ? `Inbox · ${open.length} waiting` : "Inbox"}>
      <NotificationOffer />
      <div ref={list}>
        {entries.length > 0 && (
          <ul className="grid gap-6">
            {entries.map((interaction) => (
              <InboxEntry key={interaction.id} interaction={interaction} isExpired={isExpired(interaction)} />
            ))}
          </ul>
        )}
        <ReadyReviews sessions={ready} />
        {entries.length + ready.length === 0 && loaded && expiredList.loaded && <NothingWaits />}
      </div>
    </Page>
  );
}

function inOrder(interactions: readonly Interaction[]): readonly Interaction[] {
  return interactions.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

function NothingWaits() {
  return (
    <Empty title="You're all caught up" icon={<InboxIcon size={20} />}>
      <p>
        When an agent wants to run a command, change a file or ask a question, the request appears here.
        Answer it here, in another tab or from the command line; the first answer counts.
      </p>
    </Empty>
  );
}
