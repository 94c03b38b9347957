// `attempts.mjs IN OUT`: tries what IN lists, one after the other, as a program that found the token would; OUT then has
// what each attempt was answered with.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , input, output] = process.argv;
const { drover, attempts } = JSON.parse(readFileSync(input, "utf8"));
const home = join(process.env.HOME, ".drover");
const { url } = JSON.parse(readFileSync(join(home, "server.json"), "utf8"));
const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;

async function http({ method, path, body, headers }) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
  });
  if (answer.headers.get("content-type") === "application/json") {
    return { status: answer.status, body: await answer.json() };
  }
  // A stream of events would never end.
  await answer.body?.cancel();
  return { status: answer.status, body: {} };
}

let socket;
const answers = new Map();

async function openSocket() {
  const opened = new WebSocket(`${url.replace("http", "ws")}/ws?clientId=made-up`, {
    headers: { authorization },
  });
  opened.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(data);
    answers.get(frame.requestId)?.(frame);
  });
  await once(opened, "open");
  return opened;
}

async function message({ type, fields }) {
  socket ??= await openSocket();
  const requestId = answers.size + 1;
  const { promise, resolve } = Promise.withResolvers();
  answers.set(requestId, resolve);
  socket.send(JSON.stringify({ ...fields, type, requestId }));
  return { body: await promise };
}

async function command({ args }) {
  const child = spawn(process.execPath, [drover, ...args], {
    env: { ...process.env, DROVER_NO_AUTOSTART: "1" },
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  return { exit: code, body: {} };
}

const tries = { http, message, command };
const results = Array(attempts.length);
const left = attempts.entries();
/** Commands take long to start: a few at a time. Whatever else is tried keeps its order. */
const workers = attempts.every(({ args }) => args) ? 4 : 1;
await Promise.all(
  Array.from({ length: workers }, async () => {
    for (const [index, attempt] of left) {
      const kind = attempt.args ? "command" : attempt.type ? "message" : "http";
      results[index] = await tries[kind](attempt);
    }
  }),
);
socket?.close();
writeFileSync(output, JSON.stringify(results));
