import { IconButton } from "../ui/button.tsx";
import { CrossIcon } from "../ui/icons.tsx";
import { type AttachedImage, detach } from "./attached.ts";

interface AttachedImagesProps {
  readonly sessionId: string;
  readonly images: readonly AttachedImage[];
}

/** The images that will be sent with the message. */
export function AttachedImages({ sessionId, images }: AttachedImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Attached images" className="flex flex-wrap gap-2 px-3.5 pt-2.5">
      {images.map(({ key, name, mediaType, data }) => (
        <li
          key={key}
          className="flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-1 text-xs"
        >
          <img
            alt={name}
            src={`data:${mediaType};base64,${data}`}
            className="size-9 rounded-sm bg-canvas object-cover"
          />
          <span className="max-w-36 truncate">{name}</span>
          <IconButton label={`Remove ${name}`} onClick={() => detach(sessionId, [key])}>
            <CrossIcon size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
