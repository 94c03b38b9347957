import { useState } from "react";

/** How long the outcome is shown. */
const shownMs = 1_500;

/** Copies text to the clipboard and briefly reports the outcome. */
export function useCopy() {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  const copy = async (text: string) => {
    setOutcome((await copyText(text)) ? "copied" : "refused");
    setTimeout(() => setOutcome(undefined), shownMs);
  };
  return { outcome, copy };
}

/** The label of a copy button. */
export const copyLabel = (outcome: ReturnType<typeof useCopy>["outcome"], label: string): string =>
  outcome === undefined ? label : outcome === "copied" ? "Copied" : "Couldn't copy";

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The Clipboard API needs a secure context; a page from another machine on the network has none.
    return copyAsBefore(text);
  }
}

/** Copies without the Clipboard API. */
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
