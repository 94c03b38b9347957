import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";
import { copyLabel, useCopy } from "./use-copy.ts";

interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly className?: string;
}

export function CopyButton({
  text,
  label = "Copy",
  icon = <CopyIcon size={14} />,
  className = "",
}: CopyButtonProps) {
  const { outcome, copy } = useCopy();
  return (
    <IconButton label={copyLabel(outcome, label)} className={className} onClick={() => void copy(text)}>
      {outcome === "copied" ? <CheckIcon size={14} /> : icon}
    </IconButton>
  );
}
