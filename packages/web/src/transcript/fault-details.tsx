import { exactText, faultSentence, type Item, loginLines } from "@drover/core";
import { plainText } from "../format/terminal.ts";

/** The notice's message and the reason, in one sentence. */
export const faultText = ({ text = "", fault = {} }: Item): string => plainText(faultSentence(text, fault));

/** How to log in, and the end of the output of the agent or of a setup command. */
export function FaultDetails({ fault }: Pick<Item, "fault">) {
  const logins = loginLines(fault?.authMethods);
  const stderr = plainText(fault?.stderrTail ?? fault?.tail ?? "").trim();
  return (
    <>
      {logins.length > 0 && (
        <span className="mt-1 block text-ink text-xs">
          Ways to log in:
          {logins.map((line) => (
            <span key={line} className="block">
              {exactText(plainText(line))}
            </span>
          ))}
        </span>
      )}
      {stderr && (
        <code className="mt-1 block max-h-40 overflow-auto text-muted text-xs" data-stderr="">
          {exactText(stderr)}
        </code>
      )}
    </>
  );
}
