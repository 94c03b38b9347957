import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { err, ok, type Preset, type Result } from "@drover/core";
import type { Document, LineCounter, Node, Pair, YAMLMap } from "yaml";
import { readRegular } from "../process/regular-file.ts";
import { readAgent } from "./agents.ts";
import {
  type Assignment,
  assign,
  type ConfigError,
  configError,
  type Source,
  unknownKey,
} from "./assignment.ts";
import { sections, singles } from "./settings.ts";

export interface ConfigFile {
  readonly assignments: readonly Result<Assignment, ConfigError>[];
  readonly agents: readonly Result<Preset, ConfigError[]>[];
}

export interface FileQuestion {
  readonly file: string;
  /** Only the default file may be missing. */
  readonly required: boolean;
  readonly shipped: ReadonlyMap<string, Preset>;
}

/** Far more than anyone writes. */
const maxBytes = 1024 * 1024;

const nothing: ConfigFile = { assignments: [], agents: [] };
const topLevel = [...Object.keys(sections), ...Object.keys(singles), "agents"];

export async function readConfigFile(question: FileQuestion): Promise<Result<ConfigFile, ConfigError[]>> {
  const { file, required } = question;
  let text: string;
  try {
    text = await readRegular(file, maxBytes);
  } catch (error) {
    if (!required && error instanceof Error && "code" in error && error.code === "ENOENT") return ok(nothing);
    const reason = error instanceof Error ? error.message : String(error);
    return err([configError({ kind: "file", file, line: 1 }, `cannot be read: ${reason}`)]);
  }
  // Costs 17 ms, which most starts can avoid.
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  // A pretty error repeats the line and quotes the file.
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    return err(
      problems.map(({ message, pos }) =>
        configError({ kind: "file", file, line: lines.linePos(pos[0]).line || 1 }, message),
      ),
    );
  }
  return new Reader(question, { document, lines, isMap: yaml.isMap }).read();
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly isMap: typeof import("yaml").isMap;
}

/** Walks the document itself, because only its nodes know their lines. */
class Reader {
  private readonly question: FileQuestion;
  private readonly parsed: Parsed;
  private readonly assignments: Result<Assignment, ConfigError>[] = [];
  private readonly agents: Promise<Result<Preset, ConfigError[]>>[] = [];

  constructor(question: FileQuestion, parsed: Parsed) {
    this.question = question;
    this.parsed = parsed;
  }

  async read(): Promise<Result<ConfigFile, ConfigError[]>> {
    const root: Node | null = this.parsed.document.contents;
    if (root === null) return ok(nothing);
    if (!this.parsed.isMap(root)) return err([configError(this.source(root), "must be a map of sections")]);
    for (const pair of root.items) this.readTop(pair as Pair<Node, Node | null>);
    const agents = await Promise.all(this.agents);
    return ok({ assignments: this.assignments, agents });
  }

  private readTop(pair: Pair<Node, Node | null>): void {
    const key = this.keyOf(pair);
    if (Object.hasOwn(singles, key)) this.assign(key, pair);
    else if (key === "agents") this.each(key, pair, (agent) => this.readAgent(agent));
    else if (Object.hasOwn(sections, key)) {
      const allowed = Object.keys(sections[key as keyof typeof sections]);
      this.each(key, pair, (setting) => {
        const name = this.keyOf(setting);
        if (allowed.includes(name)) this.assign(`${key}.${name}`, setting);
        else this.complain(setting.key, unknownKey(`${key}.${name}`, allowed));
      });
    } else this.complain(pair.key, unknownKey(key, topLevel));
  }

  /** An empty section counts as absent. */
  private each(
    key: string,
    pair: Pair<Node, Node | null>,
    read: (pair: Pair<Node, Node | null>) => void,
  ): void {
    const value = this.resolve(pair.value);
    if (this.toJs(value) === null) return;
    if (!this.parsed.isMap(value)) this.complain(pair.key, `${key} must be a map`);
    else for (const item of value.items) read(item as Pair<Node, Node | null>);
  }

  private assign(path: string, { key, value }: Pair<Node, Node | null>): void {
    this.assignments.push(assign(path, { value: this.toJs(value) }, this.source(value ?? key)));
  }

  private readAgent({ key, value }: Pair<Node, Node | null>): void {
    const agent = String(this.toJs(key));
    const map = this.resolve(value);
    const sourceOf = (path: readonly PropertyKey[]): Source => {
      // The deepest node on the way that is written in the file; an unknown key's own line if it has one.
      for (let length = path.length; length > 0; length--) {
        const node = this.parsed.isMap(map) ? (map as YAMLMap).getIn(path.slice(0, length), true) : undefined;
        if (node && typeof node === "object" && "range" in node) return this.source(node as Node);
      }
      return this.source(key);
    };
    const { shipped } = this.question;
    const read = readAgent(agent, this.toJs(value), { shipped, sourceOf });
    this.agents.push(read.ok ? this.withInstructions(read.value, sourceOf) : Promise.resolve(read));
  }

  /** The agent with its instruction file, whose path is relative to the configuration. */
  private async withInstructions(
    preset: Preset,
    sourceOf: (path: readonly PropertyKey[]) => Source,
  ): Promise<Result<Preset, ConfigError[]>> {
    if (preset.instructionFile === undefined) return ok(preset);
    const file = preset.instructionFile.replace(/^~(?=\/|$)/, homedir());
    const instructionFile = resolve(dirname(this.question.file), file);
    const { readInstructionFile } = await import("../process/instruction-file.ts");
    const real = await realpath(instructionFile).catch(() => instructionFile);
    const text = await readInstructionFile(real);
    if (text.ok) return ok({ ...preset, instructionFile });
    const path = `agents.${preset.agent}.instructionFile`;
    const what = `${path} ${instructionFile} cannot be used: ${text.error}`;
    return err([configError(sourceOf(["instructionFile"]), what, path)]);
  }

  private complain(node: Node, what: string): void {
    this.assignments.push(err(configError(this.source(node), what)));
  }

  private keyOf = (pair: Pair<Node, unknown>): string => String(this.toJs(pair.key));

  private toJs(node: Node | null): unknown {
    return node === null ? null : node.toJS(this.parsed.document);
  }

  /** An alias stands for the node it names. */
  private resolve(node: Node | null): Node | null {
    if (node && "source" in node && "resolve" in node && typeof node.resolve === "function") {
      return node.resolve(this.parsed.document) ?? null;
    }
    return node;
  }

  private source(node: Node): Source {
    const offset = node.range?.[0] ?? 0;
    return { kind: "file", file: this.question.file, line: this.parsed.lines.linePos(offset).line };
  }
}
