import { type Attachment, isImageType } from "@drover/core";
import { useEffect, useState } from "react";
import { kilobytes } from "../format/size.ts";
import { plainText } from "../format/terminal.ts";
import { ask } from "../transport/http.ts";
import { FileIcon } from "../ui/icons.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { dataUrl } from "./attached.ts";

interface FileProps {
  readonly sessionId: string;
  readonly attachment: Attachment;
}

interface MessageFilesProps {
  readonly sessionId: string;
  readonly attachments: readonly Attachment[];
}

/** The images and text files of a message in the transcript. */
export function MessageFiles({ sessionId, attachments }: MessageFilesProps) {
  return (
    <ul aria-label="Attached files" className="mt-2 flex flex-wrap items-start gap-2">
      {attachments.map((attachment) => {
        const View = isImageType(attachment.mediaType) ? ImageFile : TextFile;
        return (
          <li key={`${attachment.id}-${attachment.name}`} className="min-w-0 max-w-full">
            <View sessionId={sessionId} attachment={attachment} />
          </li>
        );
      })}
    </ul>
  );
}

function ImageFile({ sessionId, attachment }: FileProps) {
  const { name, mediaType } = attachment;
  const url = useContent(sessionId, attachment, imageUrl);
  const className = "h-24 min-w-16 max-w-full rounded-md border border-line bg-canvas object-contain";
  if (url === null) return <NotAvailable name={name} />;
  return url ? (
    <img alt={name} title={`${name} (${mediaType})`} src={url} className={className} />
  ) : (
    <div className={className} />
  );
}

const imageUrl = async (content: Blob) => (isImageType(content.type) ? dataUrl(content) : null);

/** Loads its text when it is opened. */
function TextFile({ sessionId, attachment }: FileProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, size } = attachment;
  return (
    <details
      className="rounded-md border border-line text-xs"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex list-none items-center gap-1.5 rounded-md px-2 py-1.5 hover:bg-hover">
        <FileIcon />
        <span className="min-w-0 truncate">{name}</span>
        <span className="shrink-0 text-faint">{kilobytes(size)}</span>
      </summary>
      {isOpen && <Text sessionId={sessionId} attachment={attachment} />}
    </details>
  );
}

function Text({ sessionId, attachment }: FileProps) {
  const text = useContent(sessionId, attachment, textOf);
  if (text === null) return <NotAvailable name={attachment.name} />;
  return <ScrollBox className="max-h-80 overflow-auto border-line border-t p-2 font-mono">{text}</ScrollBox>;
}

const textOf = async (content: Blob) => plainText(await content.text());

const NotAvailable = ({ name }: { name: string }) => (
  <span className="text-faint text-xs">{name} (not available)</span>
);

/** Fetched instead of linked: only a request of the page carries the login's key. Null if it can't be shown. */
function useContent(
  sessionId: string,
  { id }: Attachment,
  read: (content: Blob) => Promise<string | null>,
): string | null | undefined {
  const [content, setContent] = useState<string | null>();
  useEffect(() => {
    let isWanted = true;
    const load = async () => {
      const asked = await ask(`/api/sessions/${sessionId}/attachments/${id}`, {});
      const loaded = asked.ok ? await read(await asked.value.blob()) : null;
      if (isWanted) setContent(loaded);
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [sessionId, id, read]);
  return content;
}
