import { faultCodes } from "@drover/core";
import { href } from "../routing/route.ts";
import { CodeWords } from "../ui/code-words.tsx";
import { AlertIcon, InfoIcon } from "../ui/icons.tsx";
import type { ItemEntry } from "./entries.ts";
import { FaultDetails, faultText } from "./fault-details.tsx";

export function NoticeItem({ entry: { item } }: { entry: ItemEntry }) {
  const fault = faultCodes.some((code) => code === item.code);
  return (
    <div
      role={fault ? "alert" : "note"}
      className={`flex items-start gap-2 text-sm ${fault ? "text-bad" : "text-muted"}`}
    >
      <span className="mt-0.5">{fault ? <AlertIcon size={15} /> : <InfoIcon size={15} />}</span>
      <p className="min-w-0 whitespace-pre-wrap break-words">
        <CodeWords text={faultText(item)} />
        {item.code === "AGENT_MISSING" && (
          <a href={href("/agents")} className="ml-2 underline">
            Agents
          </a>
        )}
        {fault && <span className="ml-2 font-mono text-2xs">{item.code}</span>}
        <FaultDetails fault={item.fault} />
      </p>
    </div>
  );
}
