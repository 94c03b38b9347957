import { imageTypes } from "@drover/core";
import { useRef } from "react";
import { IconButton } from "../ui/button.tsx";
import { ClipIcon } from "../ui/icons.tsx";

/** Chooses images from the device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach images" onClick={() => input.current?.click()}>
        <ClipIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={imageTypes.join(",")}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
