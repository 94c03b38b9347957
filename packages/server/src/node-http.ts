/**
 * Node's HTTP without an `import` of it: an import reads every export, one of which loads all of undici, and takes
 * longer than anything else at Drover's start.
 */
const http = process.getBuiltinModule("node:http");

export const { createServer } = http;

/** Starts a request to this address; TLS is loaded only if needed. */
export const requestFor = ({ protocol }: URL): typeof http.request =>
  protocol === "https:" ? process.getBuiltinModule("node:https").request : http.request;
