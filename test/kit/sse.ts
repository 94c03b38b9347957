export interface SseBlock {
  id?: string;
  event?: string;
  data?: string;
  comment?: string;
  retry?: string;
}

function parseBlock(text: string): SseBlock {
  const block: SseBlock = {};
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "") block.comment = value;
    else if (field === "data") data.push(value);
    else if (field === "id" || field === "event" || field === "retry") block[field] = value;
  }
  if (data.length > 0) block.data = data.join("\n");
  return block;
}

/** The blocks of a text/event-stream body, heartbeat comments included, until the server ends it. */
export async function* sseBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<SseBlock> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield parseBlock(part);
  }
}
