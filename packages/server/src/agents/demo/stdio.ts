import { Readable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";

/**
 * ACP over this process's stdin and stdout. Output without a reader (EPIPE) is dropped, since the client may come back;
 * output that cannot be stored is lost: `onLost` is called, and the connection closes.
 */
export function stdioStream(onLost: (error: Error) => void): Stream {
  process.stdout.on("error", () => {}); // reported by the write's own callback
  const output = new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        process.stdout.write(chunk, (error) => {
          if (!error || isBrokenPipe(error)) return resolve();
          onLost(error);
          reject(error);
        });
      }),
  });
  return ndJsonStream(output, Readable.toWeb(process.stdin));
}

function isBrokenPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}
