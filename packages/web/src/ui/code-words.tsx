/** A sentence of the server: what stands between backticks in it is to be typed. */
export function CodeWords({ text }: { text: string }) {
  const parts = text.split("`");
  // A backtick without its fellow is only itself.
  if (parts.length % 2 === 0) return text;
  return parts.map((words, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <code key={at} className="font-mono text-[0.92em]">
        {words}
      </code>
    ) : (
      words
    ),
  );
}
