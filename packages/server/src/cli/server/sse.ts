/** One frame of an event stream. `data` is passed on as the server sent it. */
export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads the frames of a text/event-stream body; comments and `retry` are dropped. Works line by line, so that a frame
 * of many megabytes costs no more than its length.
 */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let partial: string[] = [];
  let id = "";
  let event = "message";
  let data: string[] = [];
  for await (const bytes of body) {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    partial.push(first);
    for (const next of others) {
      const line = partial.join("").replace(/\r$/, "");
      partial = [next];
      if (line !== "") {
        const [field, value] = splitField(line);
        if (field === "id") id = value;
        else if (field === "event") event = value;
        else if (field === "data") data.push(value);
      } else {
        if (data.length > 0) yield { id, event, data: data.join("\n") };
        event = "message";
        data = [];
      }
    }
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  const start = line[colon + 1] === " " ? colon + 2 : colon + 1;
  return [line.slice(0, colon), line.slice(start)];
}
