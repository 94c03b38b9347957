import type { GrammarState, HighlighterCore, LanguageInput } from "shiki/core";

export interface Token {
  readonly text: string;
  /** A class of transcript.css; none for plain text. */
  readonly look?: string;
}
export type Line = readonly Token[];

/** Each is a separate file, loaded for the first block in that language. */
const languages: Readonly<Record<string, () => Promise<{ default: LanguageInput }>>> = {
  bash: () => import("shiki/langs/shellscript.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  scss: () => import("shiki/langs/scss.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const aliases: Readonly<Record<string, string>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  h: "c",
  "c++": "cpp",
  cc: "cpp",
  hpp: "cpp",
  cs: "csharp",
  patch: "diff",
  dockerfile: "docker",
  golang: "go",
  gql: "graphql",
  htm: "html",
  conf: "ini",
  jsonc: "json",
  json5: "json",
  kt: "kotlin",
  makefile: "make",
  mk: "make",
  py: "python",
  rb: "ruby",
  rs: "rust",
  // One grammar for the family: TSX covers the others well enough.
  ts: "tsx",
  typescript: "tsx",
  js: "tsx",
  jsx: "tsx",
  javascript: "tsx",
  mjs: "tsx",
  cjs: "tsx",
  mts: "tsx",
  cts: "tsx",
  svg: "xml",
  yml: "yaml",
};

const nameOf = (language: string) => {
  const name = language.toLowerCase();
  return aliases[name] ?? name;
};

let core: Promise<HighlighterCore> | undefined;

/** Uses the browser's regular expressions, because the default engine is WebAssembly, which our content policy blocks. */
async function makeCore(): Promise<HighlighterCore> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] =
    await Promise.all([import("shiki/core"), import("shiki/engine/javascript")]);
  const theme = createCssVariablesTheme({ name: "page", variablePrefix: "--code-", fontStyle: false });
  return createHighlighterCore({
    themes: [theme],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** Highlights code line by line; `state` is the state after the last line. */
export type Tokenise = (
  line: string,
  state: GrammarState | undefined,
) => { line: Line; state: GrammarState | undefined };

const loaded = new Map<string, Promise<Tokenise>>();

/** Undefined for a language that is not in the table. */
export function loadTokeniser(language: string): Promise<Tokenise> | undefined {
  const name = nameOf(language);
  const grammar = languages[name];
  if (!grammar) return undefined;
  const known = loaded.get(name) ?? load(name, grammar);
  loaded.set(name, known);
  return known;
}

async function load(name: string, grammar: () => Promise<{ default: LanguageInput }>): Promise<Tokenise> {
  core ??= makeCore();
  const [highlighter, language] = await Promise.all([core, grammar()]);
  await highlighter.loadLanguage(language.default);
  return (line, state) => {
    const tokens = highlighter.codeToTokensBase(line, {
      lang: name,
      theme: "page",
      tokenizeMaxLineLength: 2_000,
      // By default half a second: on a busy machine the first line alone takes it, since it compiles the grammar, and
      // stays plain for ever. Nobody waits for this but the colours, and a line of this length has an end.
      tokenizeTimeLimit: 0,
      ...(state ? { grammarState: state } : {}),
    });
    return { line: (tokens[0] ?? []).map(toToken), state: highlighter.getLastGrammarState(tokens) };
  };
}

function toToken({ content, color }: { content: string; color?: string }): Token {
  const kind = /--code-token-([a-z-]+)/.exec(color ?? "")?.[1];
  return kind ? { text: content, look: `code-${kind}` } : { text: content };
}
