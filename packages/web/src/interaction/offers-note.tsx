import { exactText, type Offers } from "@drover/core";

/** The agent's own labels for approve and deny, and whether it remembers the answer. */
export function OffersNote({ offers }: { offers: Offers | undefined }) {
  if (!offers) return null;
  return (
    <div className="grid gap-1 text-xs">
      <Offer decision="Approve" offer={offers.approve} />
      <Offer decision="Deny" offer={offers.deny} />
    </div>
  );
}

function Offer({ decision, offer }: { decision: string; offer: Offers["approve"] }) {
  if (!offer) return null;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap text-muted">
      {decision}
      {offer.label !== undefined && <>: “{exactText(offer.label)}”</>}
      {offer.remembered && (
        <span className="text-warn">
          {offer.label === undefined ? ": " : " "}The agent will remember this answer.
        </span>
      )}
    </p>
  );
}
