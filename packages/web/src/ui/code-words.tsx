/** A message of the server; text between backticks is shown as code. */
export function CodeWords({ text }: { text: string }) {
  const parts = text.split("`");
  // An unmatched backtick is left as it is.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <code key={at} className="font-mono text-[0.92em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
