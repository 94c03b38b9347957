import { isImageType } from "@drover/core";
import { IconButton } from "../ui/button.tsx";
import { CrossIcon, FileIcon } from "../ui/icons.tsx";
import { type Attached, detach } from "./attached.ts";

interface AttachedFilesProps {
  /** The draft they belong to. */
  readonly draft: string;
  readonly files: readonly Attached[];
  readonly className?: string;
}

/** The files that will be sent with the message. */
export function AttachedFiles({ draft, files, className = "" }: AttachedFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached files" className={`flex flex-wrap gap-2 ${className}`}>
      {files.map(({ key, name, mediaType, data }) => (
        <li key={key} className="flex items-center gap-2 rounded-md border border-line bg-raised p-1 text-xs">
          {isImageType(mediaType) ? (
            <img
              alt={name}
              src={`data:${mediaType};base64,${data}`}
              className="size-9 rounded-sm bg-canvas object-cover"
            />
          ) : (
            <span className="grid size-9 place-items-center text-muted">
              <FileIcon />
            </span>
          )}
          <span className="max-w-36 truncate">{name}</span>
          <IconButton label={`Remove ${name}`} onClick={() => detach(draft, [key])}>
            <CrossIcon size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
