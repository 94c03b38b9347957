import type { Session } from "@drover/core";
import { useMemo, useState } from "react";
import { DiffReview } from "../changes/diff-review.tsx";
import { useDrover } from "../state/drover.ts";
import { Select } from "../ui/select.tsx";
import { tryDiff } from "./try-diff.ts";

/** The work of one try against that of another. */
export function TriesDiff({ tries }: { tries: readonly Session[] }) {
  const drover = useDrover();
  const [wantedBefore, setBefore] = useState<string>();
  const [wantedAfter, setAfter] = useState<string>();
  const listed = (id: string | undefined) => tries.find((each) => each.id === id);
  const before = listed(wantedBefore) ?? tries[0];
  const after = listed(wantedAfter) ?? tries.find((each) => each !== before);
  const [of, against] = [after?.id, before?.id];
  const source = useMemo(
    () => (of && against ? tryDiff(drover, { of, against }) : undefined),
    [drover, of, against],
  );
  if (!before || !after || !source) return null;
  return (
    <DiffReview
      source={source}
      root={undefined}
      menu={
        <div className="flex shrink-0 items-center gap-1.5 text-muted text-xs">
          <TryChoice label="From" tries={tries} value={before.id} onChange={setBefore} />
          to
          <TryChoice label="To" tries={tries} value={after.id} onChange={setAfter} />
        </div>
      }
      nothing={
        before === after
          ? { title: "The same try twice", text: "Choose another one to compare with." }
          : { title: "No differences", text: "Both tries have the same files." }
      }
    />
  );
}

interface TryChoiceProps {
  readonly label: string;
  readonly tries: readonly Session[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function TryChoice({ label, tries, value, onChange }: TryChoiceProps) {
  return (
    <span className="w-22 shrink-0">
      <Select
        aria-label={label}
        className="h-7 py-0!"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {tries.map(({ id }, at) => (
          <option key={id} value={id}>
            Try {at + 1}
          </option>
        ))}
      </Select>
    </span>
  );
}
