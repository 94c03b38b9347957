import { exactText, type Interaction } from "@drover/core";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { saysMore } from "./summary.ts";

/** The agent's description. Quoted and in a different font, so that it cannot be mistaken for the input. */
export function Description({ interaction }: { interaction: Interaction }) {
  if (!saysMore(interaction)) return null;
  return (
    <ScrollBox
      as="div"
      data-description=""
      className="wrap-anywhere -mt-2 max-h-24 overflow-auto whitespace-pre-wrap text-muted text-sm"
    >
      “{exactText(interaction.title ?? "")}”
    </ScrollBox>
  );
}
