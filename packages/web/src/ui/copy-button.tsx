import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { copyLabel, useCopy } from "./use-copy.ts";

export function CopyButton({ text, className = "" }: { text: string; className?: string }) {
  const { outcome, copy } = useCopy();
  return (
    <IconButton label={copyLabel(outcome, "Copy")} className={className} onClick={() => void copy(text)}>
      {outcome === "copied" ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </IconButton>
  );
}
