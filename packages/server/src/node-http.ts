/**
 * Node's HTTP without an `import` of it: that reads every export, one of which loads all of undici, and takes longer than
 * anything else Drover does when it starts.
 */
const http = process.getBuiltinModule("node:http");

export const { createServer } = http;

/** What begins a request to this address; TLS is loaded for whoever needs it. */
export const requestFor = ({ protocol }: URL): typeof http.request =>
  protocol === "https:" ? process.getBuiltinModule("node:https").request : http.request;
