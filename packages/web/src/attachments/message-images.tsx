import { type Attachment, imageTypes } from "@drover/core";
import { useEffect, useState } from "react";
import { ask } from "../transport/http.ts";
import { dataUrl } from "./attached.ts";

interface MessageImagesProps {
  readonly sessionId: string;
  readonly attachments: readonly Attachment[];
}

/** The images of a message in the transcript. */
export function MessageImages({ sessionId, attachments }: MessageImagesProps) {
  return (
    <ul aria-label="Images" className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={`${attachment.id}-${attachment.name}`}>
          <MessageImage sessionId={sessionId} attachment={attachment} />
        </li>
      ))}
    </ul>
  );
}

/** Fetched instead of linked: only a request of the page carries the login's key. */
function MessageImage({ sessionId, attachment }: { sessionId: string; attachment: Attachment }) {
  const { id, name, mediaType } = attachment;
  const [url, setUrl] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const load = async () => {
      const asked = await ask(`/api/sessions/${sessionId}/attachments/${id}`, {});
      const image = asked.ok ? await asked.value.blob() : undefined;
      const isImage = imageTypes.some((type) => type === image?.type);
      const loaded = image && isImage ? await dataUrl(image) : undefined;
      if (!isWanted) return;
      setUrl(loaded);
      setMissing(loaded === undefined);
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [sessionId, id]);
  const className = "h-24 min-w-16 max-w-full rounded-md border border-line bg-canvas object-contain";
  if (isMissing) return <span className="text-faint text-xs">{name} (not available)</span>;
  return url ? (
    <img alt={name} title={`${name} (${mediaType})`} src={url} className={className} />
  ) : (
    <div className={className} />
  );
}
