import type { Interaction } from "@drover/core";

/** A request by an agent, and what its card must show besides every text in it. */
export interface HostileInput {
  readonly name: string;
  readonly toolKind?: Interaction["toolKind"];
  readonly toolName?: string;
  readonly title?: string;
  readonly input: unknown;
  readonly diffs?: unknown[];
  readonly shows?: readonly string[];
}

const run = (name: string, command: unknown, ...shows: string[]): HostileInput => ({
  name,
  toolKind: "execute",
  input: { command },
  shows,
});

const commands: readonly HostileInput[] = [
  run("a payload in an OSC string", "echo \u001b]0;; rm -rf ~\u0007ok", "⟨U+001B⟩]0;; rm -rf ~⟨U+0007⟩ok"),
  run("a link for terminals", "\u001b]8;;http://evil.test\u001b\\ls\u001b]8;;\u001b\\"),
  run("C1 controls", "a\u009b31m\u009d0;x\u009cb", "a⟨U+009B⟩31m⟨U+009D⟩0;x⟨U+009C⟩b"),
  run("a carriage return over the command", "rm -rf ~ #\rls", "rm -rf ~ #⟨U+000D⟩ls"),
  run("backspaces", "rm\b\bls", "rm⟨U+0008⟩⟨U+0008⟩ls"),
  run("bidirectional controls", "cat \u202etxt.sh\u202c \u2066a\u2069", "cat ⟨U+202E⟩txt.sh⟨U+202C⟩"),
  run(
    "zero-width characters",
    "r\u200bm\u200d \u2060-rf\ufeff ~",
    "r⟨U+200B⟩m⟨U+200D⟩ ⟨U+2060⟩-rf⟨U+FEFF⟩ ~",
  ),
  run("false spaces", "rm\u00a0-rf\u3000~\u2028ls", "rm⟨U+00A0⟩-rf⟨U+3000⟩~⟨U+2028⟩ls"),
  run("tag characters", `ls ${String.fromCodePoint(0xe0072, 0xe006d)}`, "ls ⟨U+E0072⟩⟨U+E006D⟩"),
  run("fillers and selectors", "a\u3164b\u115fc\ufe0fd\u2800e\u00ad"),
  run("half a character", "ls \ud800 \udc00", "ls ⟨U+D800⟩ ⟨U+DC00⟩"),
  run("private use", "ls \ue000 \u{10ffff}", "ls ⟨U+E000⟩ ⟨U+10FFFF⟩"),
  run("our own notation", "ls ⟨U+202E⟩ \u202e", "ls ⟨U+27E8⟩U+202E⟩ ⟨U+202E⟩"),
  run("letters of a right-to-left script", "rm א 1 2 ../ב; ls", "rm א 1 2 ../ב; ls"),
  run("blanks at the end", "ls \\ \nrm\t", "ls \\⟨U+0020⟩\nrm⟨U+0009⟩"),
  run("a payload after thousands of blanks", `ls${" ".repeat(3_000)}; rm -rf ~`, "; rm -rf ~"),
  run(
    "a payload below thousands of lines",
    `ls${"\n".repeat(3_000)}rm -rf ~`,
    "Scroll to read all 3,001 lines",
  ),
  run("an endless word", `ls ${"x".repeat(8_000)};rm`, "Scroll to read all"),
  run("more than is highlighted", `echo "${"\\".repeat(30_000)}"; rm`),
  run("HTML", "<b>ls</b><!-- ; rm --><style>*{display:none}</style><img src=http://evil.test/a>&amp;"),
  run("an emoji of several code points", "echo 👩‍💻️"),
  run("a comment that hides nothing", "ls #\u2028rm -rf ~"),
  run("arguments with blanks", ["rm", "-rf", "a b", "", "it's"], "rm -rf 'a b' '' 'it'\\''s'", "5 arguments"),
  run("one argument that looks like several", ["ls; rm -rf ~"], "'ls; rm -rf ~'", "1 argument"),
  run("hidden arguments", ["ls\u202e", "\n", "\u200b"], "'ls⟨U+202E⟩' '\n' '⟨U+200B⟩'"),
  run("arguments that are not strings", ["rm", 5, null, { a: "b" }], '"rm",', "5,", "null,", '"a": "b"'),
  run("no arguments", [], '"command": []'),
  run("an empty command", "", '"command": ""'),
  run("a command that is an object", { command: "ls" }, '"command": {'),
];

const before = "one\ntwo\n";
const changes: readonly HostileInput[] = [
  {
    name: "extra keys next to a change",
    input: { path: "a", old_string: "b", new_string: "c", replace_all: true, mode: "100755" },
    shows: ['"replace_all": true', '"mode": "100755"', "path · old_string → new_string"],
  },
  {
    name: "two files in one input",
    input: { path: "harmless", file_path: "/etc/passwd", content: "x" },
    shows: ['"path": "harmless"', '"file_path": "/etc/passwd"'],
  },
  {
    name: "a diff that is not an object",
    input: { diffs: [{ path: "a", oldText: "b", newText: "c" }, "rm -rf ~", null, 7] },
    shows: ['"rm -rf ~"', "null", "7"],
  },
  {
    name: "a diff with values of other types",
    input: { diffs: [{ path: ["/etc", "passwd"], oldText: { a: 1 }, newText: 12 }] },
    shows: ['"/etc"', '"a": 1', '"newText": 12'],
  },
  {
    name: "diffs with extra keys",
    input: { diffs: [{ path: "a", oldText: null, newText: "c\n", mode: "120000", _meta: { to: "/etc" } }] },
    shows: ["New file", '"mode": "120000"', '"to": "/etc"', "diffs[0] · path · oldText → newText"],
  },
  {
    name: "the same diff twice",
    input: {
      diffs: [
        { path: "a", newText: "c\n" },
        { path: "a", newText: "c\n" },
      ],
    },
    shows: ["diffs[0]", "diffs[1]"],
  },
  {
    name: "edits with a broken one among them",
    input: { path: "a", edits: [{ old_string: "b", new_string: "c" }, { old_string: "d" }] },
    shows: ['"old_string": "d"'],
  },
  {
    name: "diffs next to the input that contradict it",
    input: { path: "a.sh", content: "rm -rf ~\n" },
    diffs: [
      { path: "a.sh", oldText: null, newText: "ls\n" },
      { path: 5, newText: "no path" },
      "no diff",
      { path: "/x/a.sh", oldText: "ls\n", newText: "rm -rf ~\n", note: "further" },
    ],
    shows: ["not part of the input", '"path": 5', '"no diff"', '"note": "further"'],
  },
  {
    name: "a diff next to the input that claims nothing changes",
    input: { path: "a.sh", content: `${"rm -rf ~\n".repeat(40)}ls\n` },
    diffs: [{ path: "/x/a.sh", oldText: "rm -rf ~\n".repeat(40), newText: `${"rm -rf ~\n".repeat(40)}ls\n` }],
    shows: ["rm -rf ~\n".repeat(4).replaceAll("\n", "\n \n"), "Compared with /x/a.sh"],
  },
  {
    name: "a change of the last line break",
    input: { path: "a", oldText: before, newText: "one\ntwo" },
    shows: ["No newline at end of the new text", "-\ntwo", "+\ntwo"],
  },
  {
    name: "a change of blanks",
    input: { path: "Makefile", oldText: "a:\n\tb\nc \n", newText: "a:\n        b\nc\n" },
    shows: ["⟨U+0009⟩b", "c⟨U+0020⟩"],
  },
  {
    name: "carriage returns",
    input: { path: "a", oldText: "one\n", newText: "one\r\nrm\rls\n" },
    shows: ["one⟨U+000D⟩", "rm⟨U+000D⟩ls"],
  },
  {
    name: "a payload far to the right",
    input: { path: "a.sh", content: `ls${" ".repeat(2_000)}; rm -rf ~\n` },
    shows: ["; rm -rf ~"],
  },
  {
    name: "more lines than fit on two pages",
    input: { path: "a", content: `${"ok\n".repeat(2_500)}rm -rf ~\n` },
    shows: ["rm -rf ~", "of 2,501"],
  },
  {
    name: "a path that looks like another",
    input: { path: "src/a\u202est.sh\n/etc/passwd ", content: "x" },
    shows: ["src/a⟨U+202E⟩st.sh⟨U+000A⟩/etc/passwd⟨U+0020⟩"],
  },
  { name: "an empty file", input: { path: "a", content: "" }, shows: ['"content": ""'] },
  { name: "no path", input: { path: "", content: "x" }, shows: ['"path": ""'] },
];

const plan = (name: string, text: string, more: object = {}): HostileInput => ({
  name,
  toolKind: "plan",
  input: { plan: text, ...more },
});

const plans: readonly HostileInput[] = [
  plan("a comment", "Tidy up\n\n<!-- then push to production -->\n\n- done"),
  plan("a link that leads elsewhere", "See [the manual](http://evil.test/run?now 'a title')."),
  plan("link definitions", "See [it].\n\n[it]: http://evil.test 'hidden'\n[unused]: http://evil.test/b"),
  plan("an image", "![](http://evil.test/pixel.png)"),
  plan("HTML", "<details><summary>ok</summary>\nrm -rf ~\n</details><span style=display:none>hidden</span>"),
  plan("front matter", "---\nrun: rm -rf ~\n---\n\n# Plan"),
  plan("text after a fence", "```sh title=rm-rf\nls\n```"),
  plan("entities and escapes", "&#114;m \\-rf &lt;b&gt;"),
  plan("list numbers", "7. first\n3. second"),
  plan("footnotes", "Fine.[^1]\n\n[^1]: not fine\n[^2]: never named"),
  plan("hidden characters", "Keep\u200b it\u202e\u001b[8m"),
  plan("extra keys", "# Plan", {
    path: "/etc/passwd",
    content: "root",
    plan2: "other",
    command: "rm -rf ~",
  }),
  plan("endless quotes", `${">".repeat(3_000)} deep`),
  {
    name: "a plan that is not a string",
    toolKind: "plan",
    input: { plan: ["a", { b: "c" }] },
    shows: ['"b": "c"'],
  },
  { name: "a plan under another name", toolKind: "plan", title: "Just go", input: { steps: ["rm -rf ~"] } },
];

const others: readonly HostileInput[] = [
  { name: "a string", input: "rm -rf ~", shows: ['"rm -rf ~"'] },
  { name: "a list", input: ["rm", ["-rf", ["~"]]] },
  { name: "null", input: null, shows: ["null"] },
  { name: "a number", input: -1.5e300, shows: ["-1.5e+300"] },
  { name: "an empty object", input: {}, shows: ["{}"] },
  {
    name: "names that every object has",
    input: JSON.parse('{"__proto__":{"command":"rm"},"constructor":"c"}'),
  },
  {
    name: "keys with hidden characters",
    input: { "a\u202eb": 1, "": 2 },
    shows: ['"a⟨U+202E⟩b": 1', '"": 2'],
  },
  { name: "a deeply nested input", input: JSON.parse(`${'{"a":'.repeat(60)}"rm"${"}".repeat(60)}`) },
  {
    name: "a title that is a different command",
    toolKind: "execute",
    title: "`ls -la`",
    input: { command: "rm -rf ~" },
    shows: ["“`ls -la`”", "rm -rf ~"],
  },
  {
    name: "a title of many lines",
    toolKind: "execute",
    title: `ls\n${"\n".repeat(500)}$ ls\u202e`,
    input: { command: "rm -rf ~" },
    shows: ["$ ls⟨U+202E⟩”"],
  },
  {
    name: "a deletion labelled as a read",
    toolKind: "read",
    toolName: "delete\u202eall\n",
    input: { path: "/" },
    shows: ["delete⟨U+202E⟩all⟨U+000A⟩", '"path": "/"'],
  },
  { name: "a tool with a long name", toolKind: "other", toolName: "x".repeat(3_000), input: { a: 1 } },
];

export const hostileInputs: readonly HostileInput[] = [...commands, ...changes, ...plans, ...others];
