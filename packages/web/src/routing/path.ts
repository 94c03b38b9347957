/** The parameters of a path: `/s/:session/:tab?` always has a `session`, and may have a `tab`. */
export type PathParams<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? SegmentParams<Head> & PathParams<Rest>
  : SegmentParams<Path>;

type SegmentParams<Segment extends string> = Segment extends `:${infer Name}?`
  ? { readonly [Key in Name]?: string | undefined }
  : Segment extends `:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

export type ParamValues = Readonly<Record<string, string | undefined>>;

interface Segment {
  /** Empty for a literal segment. */
  readonly name: string;
  readonly text: string;
  readonly optional: boolean;
}

const segmentsOf = (pattern: string): Segment[] =>
  split(pattern).map((text) => {
    const [, name = "", mark] = /^:(\w+)(\?)?$/.exec(text) ?? [];
    return { name, text, optional: mark !== undefined };
  });

const split = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

/** The values of a pattern's parameters in a path; undefined when the path does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const segments = segmentsOf(pattern);
  const parts = split(path);
  if (parts.length > segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, { name, text, optional }] of segments.entries()) {
    const part = parts[at];
    if (part === undefined && optional) continue;
    if (part === undefined || (name === "" && part !== text)) return undefined;
    const value = decoded(part);
    if (value === undefined) return undefined;
    if (name !== "") values[name] = value;
  }
  return values;
}

/** The path with these values in place of its parameters. Optional ones may be left out. */
export function buildPath(pattern: string, values: ParamValues = {}): string {
  const parts: string[] = [];
  for (const { name, text } of segmentsOf(pattern)) {
    const value = name === "" ? text : values[name];
    if (value === undefined) break;
    parts.push(encodeURIComponent(value));
  }
  return `/${parts.join("/")}`;
}

export const requiredParams = (pattern: string): string[] =>
  segmentsOf(pattern).flatMap(({ name, optional }) => (name === "" || optional ? [] : [name]));

/** Undefined if the percent-encoding is invalid. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
