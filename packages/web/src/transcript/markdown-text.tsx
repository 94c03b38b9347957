import { plainText } from "../format/terminal.ts";
import { Markdown } from "./markdown.tsx";
import { OutputText } from "./tool-text.tsx";

/** Longer Markdown is shown as source, because rendering it is slow. */
const maxMarkdown = 100_000;

/** Markdown that is complete. */
export const MarkdownText = ({ text }: { text: string }) =>
  text.length > maxMarkdown ? <OutputText text={text} failed={false} /> : <Markdown text={plainText(text)} />;
