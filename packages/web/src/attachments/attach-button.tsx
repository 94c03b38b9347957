import { useRef } from "react";
import { IconButton } from "../ui/button.tsx";
import { ClipIcon } from "../ui/icons.tsx";

/** Chooses files from the device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" onClick={() => input.current?.click()}>
        <ClipIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
