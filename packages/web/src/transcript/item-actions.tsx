import type { Item } from "@drover/core";
import type { ComponentType } from "react";
import { itemText } from "../format/item-text.ts";
import { perform } from "../keyboard/use-shortcuts.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import { useDrover } from "../state/drover.ts";
import { putBack } from "../storage/drafts.ts";
import { IconButton } from "../ui/button.tsx";
import { CheckIcon, CopyIcon, PencilIcon, WorktreeIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { copyLabel, useCopy } from "../ui/use-copy.ts";
import { ForkIcon, LinkIcon } from "./icons.tsx";
import { useReader } from "./reader.ts";

/** Actions for one item, visible while it is hovered or one of them has the focus. */
export function ItemActions({ item }: { item: Item }) {
  const { session } = useReader();
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const fork = async (workspace?: "worktree") => {
    let name: string | undefined;
    await run(async () => {
      const forked = await drover.fork(session.id, { at: item.seq, ...(workspace ? { workspace } : {}) });
      if (forked.ok) name = forked.value.name;
      return forked;
    });
    if (name) navigate(sessionHref(name));
  };
  /** After an interrupt, the composer sends it before the paused queue. */
  const edit = () => {
    putBack(session.id, itemText(item));
    perform("write");
  };
  return (
    <div
      className={`item-actions absolute z-10 flex max-w-full items-center ${problem ? "opacity-100!" : ""}`}
    >
      {problem && (
        <div className="px-2 py-1">
          <ProblemText problem={problem} />
        </div>
      )}
      {item.kind === "user" && (
        <IconButton label="Edit and resend" className="size-6! max-md:size-10!" onClick={edit}>
          <PencilIcon size={13} />
        </IconButton>
      )}
      <CopyAction label="Copy" Icon={CopyIcon} text={() => itemText(item)} />
      <CopyAction
        label="Copy link"
        Icon={LinkIcon}
        text={() => new URL(sessionHref(session.name, "transcript", { at: item.seq }), location.href).href}
      />
      {session.capabilities.fork && (
        <IconButton
          label="Fork from here"
          disabled={busy}
          className="size-6! max-md:size-10!"
          onClick={() => void fork()}
        >
          <ForkIcon size={13} />
        </IconButton>
      )}
      <IconButton
        label="Fork into a worktree"
        title="Fork from here into a worktree, with the files of this moment"
        disabled={busy}
        className="size-6! max-md:size-10!"
        onClick={() => void fork("worktree")}
      >
        <WorktreeIcon size={13} />
      </IconButton>
    </div>
  );
}

interface CopyActionProps {
  readonly label: string;
  readonly Icon: ComponentType<{ size?: number }>;
  readonly text: () => string;
}

function CopyAction({ label, Icon, text }: CopyActionProps) {
  const { outcome, copy } = useCopy();
  return (
    <IconButton
      label={copyLabel(outcome, label)}
      className="size-6! max-md:size-10!"
      onClick={() => void copy(text())}
    >
      {outcome === "copied" ? <CheckIcon size={13} /> : <Icon size={13} />}
    </IconButton>
  );
}
