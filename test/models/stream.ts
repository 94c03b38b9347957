// A reply as a stream of server-sent events, at the pace of the script and up to where the script cuts it off.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Step } from "./script.ts";

export interface StreamEvent {
  /** The event's name, if the vendor uses one. */
  name?: string;
  data: unknown;
}

/** Splits text the way a model streams it, between characters. */
export function* chunks(text: string): Generator<string> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 12) yield characters.slice(at, at + 12).join("");
}

const encoded = ({ name, data }: StreamEvent): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

export async function playStream(
  stream: Iterable<StreamEvent>,
  { drop, hang, pace }: Step,
  response: ServerResponse,
): Promise<void> {
  // Build all events first, so that an invalid step becomes an error response and not a broken stream.
  const events = [...stream];
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const isWhole = !drop && !hang;
  for (const event of isWhole ? events : events.slice(0, Math.ceil(events.length / 2))) {
    if (pace) await pause(pace);
    if (response.destroyed) return;
    await new Promise((sent) => response.write(encoded(event), sent));
  }
  if (drop) response.destroy();
  else if (!hang) response.end();
}
