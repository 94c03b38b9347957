import { useState } from "react";

/** How long a word about it is worth showing. */
const shownMs = 1_500;

/** Puts text on the clipboard, and knows for a moment how that went. */
export function useCopy() {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copy = async (text: string) => {
    setOutcome((await copyText(text)) ? "copied" : "refused");
    setTimeout(() => setOutcome(undefined), shownMs);
  };
  return { outcome, copy };
}

/** The words of a button that copies. */
export const copyLabel = (outcome: ReturnType<typeof useCopy>["outcome"], label: string): string =>
  outcome === undefined ? label : outcome === "copied" ? "Copied" : "The browser refused to copy";

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // It exists in secure contexts only, which a page of another machine on the network is not.
    return copyAsBefore(text);
  }
}

/** The way of all browsers before there was a clipboard to write to. */
function copyAsBefore(text: string): boolean {
  let taken = false;
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    taken = true;
  };
  document.addEventListener("copy", put, { once: true, capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", put, { capture: true });
  return taken;
}
