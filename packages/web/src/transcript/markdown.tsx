import { type ComponentProps, type JSX, memo, type ReactNode, useMemo } from "react";
import { type Components, Streamdown } from "streamdown";
import { Code } from "../code/code.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { splitAtDeepNesting } from "./nesting.ts";
import { PlainFallback, PlainWords } from "./plain-fallback.tsx";

type Props<Tag extends keyof JSX.IntrinsicElements> = ComponentProps<Tag> & { node?: unknown };

/** Shows the host of a link, because the agent chose its text and may name another one. */
function Link({ href, children }: Props<"a">) {
  const target = href && URL.canParse(href) ? new URL(href) : undefined;
  if (!target) return <span>{children}</span>;
  const place = target.protocol === "mailto:" ? target.pathname : target.host;
  return (
    <>
      <a href={target.href} title={target.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!textOf(children).includes(place) && <span className="text-faint text-xs"> ({place})</span>}
    </>
  );
}

/** Images are shown as links, because loading one would send a request to its host. */
function Picture({ src, alt }: Props<"img">) {
  return <Link href={typeof src === "string" ? src : undefined}>{`Image: ${alt || "no description"}`}</Link>;
}

function CodeBlock({ children }: Props<"pre">) {
  const text = textOf(children).replace(/\n$/, "");
  const language = languageOf(children);
  return (
    <div className="group/code overflow-hidden rounded-md border border-line bg-raised">
      <div className="flex h-7 max-md:h-10 items-center border-line border-b pr-1 pl-3">
        <span className="font-mono text-2xs text-faint">{language ?? "text"}</span>
        <CopyButton text={text} className="ml-auto size-6! max-md:size-10!" />
      </div>
      <ScrollBox className="overflow-x-auto px-3 py-2.5 font-mono text-xs">
        <Code code={text} language={language} />
      </ScrollBox>
    </div>
  );
}

function Table({ children }: Props<"table">) {
  return (
    <ScrollBox as="div" className="table-box">
      <table>{children}</table>
    </ScrollBox>
  );
}

/** List markers follow the direction of the text. */
const Bullets = ({ children }: Props<"ul">) => <ul dir="auto">{children}</ul>;
const Numbers = ({ children, start }: Props<"ol">) => (
  <ol dir="auto" start={start}>
    {children}
  </ol>
);
const Quote = ({ children }: Props<"blockquote">) => <blockquote dir="auto">{children}</blockquote>;

/** The box of a task in a list. */
function TaskBox({ checked = false }: Props<"input">) {
  return <input type="checkbox" disabled checked={checked} aria-label={checked ? "done" : "to do"} />;
}

function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (node && typeof node === "object" && "props" in node) {
    return textOf((node.props as { children?: ReactNode }).children);
  }
  return "";
}

function languageOf(node: ReactNode): string | undefined {
  if (!node || typeof node !== "object" || !("props" in node)) return undefined;
  const { className } = node.props as { className?: string };
  return /language-(\S+)/.exec(className ?? "")?.[1];
}

/** Elements that Markdown can produce, styled by markdown.css. All others are dropped. */
const plainElements = [
  "h1 h2 h3 h4 h5 h6 p li hr code strong em del sup section br thead tbody tr th td",
].flatMap((names) => names.split(" "));

const components: Components = {
  ...Object.fromEntries(plainElements.map((name) => [name, name])),
  a: Link,
  blockquote: Quote,
  input: TaskBox,
  ol: Numbers,
  ul: Bullets,
  img: Picture,
  pre: CodeBlock,
  table: Table,
};

const allowedElements = Object.keys(components);
const safeProtocols = ["http:", "https:", "mailto:"];

/** Raw HTML is shown as text, because without rehype plugins it is never parsed. */
function safeAddress(address: string): string | undefined {
  return URL.canParse(address) && safeProtocols.includes(new URL(address).protocol) ? address : undefined;
}

/** An agent's text, which may still grow. Finished blocks are not rendered again. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { shallow, deep } = useMemo(() => splitAtDeepNesting(text), [text]);
  return (
    <>
      {shallow !== "" && <Drawn text={shallow} />}
      {deep !== "" && <PlainWords text={deep} />}
    </>
  );
});

function Drawn({ text }: { text: string }) {
  return (
    <PlainFallback text={() => text}>
      <Streamdown
        className="markdown"
        components={components}
        allowedElements={allowedElements}
        unwrapDisallowed
        rehypePlugins={[]}
        urlTransform={safeAddress}
        linkSafety={{ enabled: false }}
        controls={false}
      >
        {text}
      </Streamdown>
    </PlainFallback>
  );
}
