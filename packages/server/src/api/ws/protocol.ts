import { type Rejection, reject } from "@drover/core";
import { maxMessage } from "../http/answer.ts";
import { pathKeys } from "../input/input.ts";
import { parseJson } from "../input/json.ts";
import { brief } from "../input/validate.ts";
import type { Frame } from "./frame.ts";
import type { SocketMessage } from "./message.ts";
import type { SocketMessages } from "./messages.ts";

type RequestId = string | number;

/** A client's frame: either a known message with its fields, or why it is not one. */
export type Asked = { readonly type: string; readonly requestId: RequestId | undefined } & (
  | { readonly message: SocketMessage; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly message: undefined;
      readonly refusal: Rejection;
      readonly fields: Readonly<Record<string, unknown>>;
    }
);

/** Never throws. The requestId is found even in text that is not JSON, if one can be read. */
export function readAsked(text: string | undefined, messages: SocketMessages): Asked {
  if (text === undefined) return refused("Frames must be JSON text, not binary", { type: "?" });
  const parsed = parseJson(text, pathKeys);
  if (!parsed.ok) {
    return {
      type: "?",
      requestId: scanRequestId(text),
      message: undefined,
      refusal: parsed.error,
      fields: {},
    };
  }
  const value = parsed.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused(`A frame is a JSON object with a type, ${known(messages)}`, { type: "?" });
  }
  const { type, requestId: rawId, ...fields } = value as Record<string, unknown>;
  const requestId = isRequestId(rawId) ? rawId : undefined;
  const about = { type: typeof type === "string" ? type : "?", requestId, fields };
  if (rawId !== undefined && requestId === undefined) {
    return refused("requestId must be a number, or text of at most 200 characters", about);
  }
  const message = typeof type === "string" && Object.hasOwn(messages, type) ? messages[type] : undefined;
  if (message) return { ...about, requestId, message };
  const why = typeof type === "string" ? `There is no message type "${brief(type)}"` : "A frame needs a type";
  return refused(`${why}, ${known(messages)}`, about);
}

const known = (messages: SocketMessages) => `one of: ${Object.keys(messages).join(", ")}`;

/** The error a client gets, with what its request was about: an agent is `cliType`, whichever name was used for it. */
export function refusalFrame({ fields }: Asked, { code, message, facts }: Rejection): Frame {
  const { sessionId, cliType = fields["agent"] } = fields;
  const about = Object.entries({ sessionId, cliType }).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, brief(value)]] : [],
  );
  return { ...facts, ...Object.fromEntries(about), type: "error", code, message: brief(message, maxMessage) };
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "number" || (typeof value === "string" && value.length <= 200);
}

interface About {
  readonly type: string;
  readonly requestId?: RequestId | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
}

function refused(message: string, { type, requestId, fields = {} }: About): Asked {
  const rejection = reject("BAD_REQUEST", message, { issues: [{ path: "", message }] });
  if (rejection.ok) throw new Error("Expected a rejection");
  return { type, requestId, message: undefined, refusal: rejection.error, fields };
}

function scanRequestId(text: string): RequestId | undefined {
  const literal = /"requestId"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15}(?![\d.eE]))/.exec(text)?.[1];
  if (literal === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(literal);
    return isRequestId(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
