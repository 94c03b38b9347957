// The floor of replay: serves a file's bytes over bare node:http, in pages. Prints its port.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const PAGE = 256 * 1024;
const bytes = readFileSync(process.argv[2] ?? "");

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let at = 0;
  const send = (): void => {
    while (at < bytes.length) {
      const page = bytes.subarray(at, at + PAGE);
      at += page.length;
      if (!response.write(page)) return void response.once("drain", send);
    }
  };
  send();
}).listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
