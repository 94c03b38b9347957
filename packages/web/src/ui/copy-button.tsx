import { useState } from "react";
import { IconButton } from "./button.tsx";
import { CheckIcon, CopyIcon } from "./icons.tsx";

export function CopyButton({ text, className = "" }: { text: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  // The clipboard exists in secure contexts only.
  if (!navigator.clipboard) return null;
  return (
    <IconButton label={copied ? "Copied" : "Copy"} className={className} onClick={() => void copy()}>
      {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </IconButton>
  );
}
