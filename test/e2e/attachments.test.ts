// Images and text files in messages: what is stored, what an agent receives, what is refused.
import type { Item, QueuedMessage, Receipt, Session } from "@drover/core";
import { expect, test } from "vitest";
import { bearer } from "../kit/http.ts";
import { sharedRig } from "./shared-rig.ts";
import { demoProgram, kitAgent, openSession } from "./support.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const image = (bytes = png, name = "dot.png") => ({
  name,
  mediaType: "image/png",
  data: bytes.toString("base64"),
});

const rig = sharedRig({ agents: { demo: demoProgram, kit: kitAgent("echo.mjs") } });

const itemsOf = async (id: string) =>
  (await rig.client.get<{ items: Item[] }>(`/api/sessions/${id}/messages`)).items;

test("an image reaches the agent, stays in the transcript and can be downloaded again", async () => {
  await using session = await openSession(rig, "demo");
  const path = `/api/sessions/${session.id}/messages`;
  const { messageId } = await rig.client.post<Receipt>(path, {
    content: "say hello",
    attachments: [image()],
  });
  await session.done(messageId);
  const items = await itemsOf(session.id);
  const [attached] = items.find(({ kind }) => kind === "user")?.attachments ?? [];
  expect(attached).toMatchObject({ name: "dot.png", mediaType: "image/png", size: png.length });
  const said = items.map(({ kind, text }) => (kind === "text" ? text : "")).join("");
  expect(said).toContain(`I see an image (image/png, ${png.length} bytes)`);
  const url = new URL(`/api/sessions/${session.id}/attachments/${attached?.id}`, rig.server.url);
  const answer = await fetch(url, { headers: bearer(rig.server) });
  expect(answer.headers.get("content-type")).toBe("image/png");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
  for (const id of ["none", "../../token", "0".repeat(64)]) {
    const missing = await rig.client.ask(
      "GET",
      `/api/sessions/${session.id}/attachments/${encodeURIComponent(id)}`,
    );
    expect(missing.status, id).toBe(404);
  }
});

test("a queued message keeps its image when it is edited and when the server is killed", async () => {
  await using session = await openSession(rig, "demo");
  const path = `/api/sessions/${session.id}`;
  await rig.client.post(`${path}/messages`, { content: "hang" });
  const queued = await rig.client.post<Receipt>(`${path}/messages`, {
    content: "say first",
    attachments: [image()],
  });
  await rig.client.patch(`${path}/queue/${queued.messageId}`, { content: "say second" });
  await rig.server.kill9();
  await rig.start();
  await rig.client.post(`${path}/interrupt`);
  await rig.client.post(`${path}/resume`);
  await session.done(queued.messageId);
  const said = (await itemsOf(session.id)).map(({ text }) => text ?? "").join("\n");
  expect(said).toContain("second");
  expect(said).toContain("I see an image");
});

test("a text file reaches an agent as its own block, or as part of the message if the agent takes only text", async () => {
  await using session = await openSession(rig, "demo");
  const notes = image(Buffer.from("naïve ```\n"), "notes.txt");
  const send = (id: string) =>
    rig.client.post<Receipt>(`/api/sessions/${id}/messages`, { content: "say hello", attachments: [notes] });
  await session.done((await send(session.id)).messageId);
  const items = await itemsOf(session.id);
  const [attached] = items.find(({ kind }) => kind === "user")?.attachments ?? [];
  expect(attached).toMatchObject({ name: "notes.txt", mediaType: "text/plain", size: 11 });
  expect(items.map(({ text }) => text ?? "").join("")).toContain("I see a file (notes.txt, 10 characters)");
  const url = new URL(`/api/sessions/${session.id}/attachments/${attached?.id}`, rig.server.url);
  const answer = await fetch(url, { headers: bearer(rig.server) });
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await answer.text()).toBe("naïve ```\n");

  await using plain = await openSession(rig, "kit");
  await plain.done((await send(plain.id)).messageId);
  const [said] = (await itemsOf(plain.id)).filter(({ kind }) => kind === "text");
  expect(said?.text).toContain("say hello\n\nnotes.txt:\n````\nnaïve ```\n````");
});

test("a message that was removed from the queue comes back with its attachments", async () => {
  await using session = await openSession(rig, "demo");
  const path = `/api/sessions/${session.id}`;
  await rig.client.post(`${path}/messages`, { content: "hang" });
  const { messageId } = await rig.client.post<Receipt>(`${path}/messages`, {
    content: "say look",
    attachments: [image(), image(Buffer.from("text"), "notes.txt")],
  });
  const { messages } = await rig.client.get<{ messages: QueuedMessage[] }>(`${path}/queue`);
  const attachments = messages[0]?.attachments ?? [];
  await rig.client.ask("DELETE", `${path}/queue/${messageId}`);
  const stored = attachments.map(({ id, name }) => ({ id, name }));
  const enqueue = (fields: object) =>
    rig.client.ask("POST", `${path}/queue`, { body: { content: "say look", ...fields } });
  expect(await enqueue({ attachments: stored })).toMatchObject({
    status: 200,
    body: { messages: [{ content: "say look", attachments }] },
  });
  expect(await enqueue({ attachments: [{ id: "0".repeat(64), name: "gone" }] })).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", what: "attachment" },
  });
  expect(await enqueue({ before: messageId })).toMatchObject({ status: 409, body: { code: "NOT_QUEUED" } });
});

test("a repeated clientMessageId must have the same images", async () => {
  await using session = await openSession(rig, "demo");
  const path = `/api/sessions/${session.id}/messages`;
  const message = { content: "say hello", clientMessageId: "one", attachments: [image()] };
  const first = await rig.client.post<Receipt>(path, message);
  expect(await rig.client.post<Receipt>(path, message)).toEqual(first);
  const other = image(Buffer.concat([png, Buffer.from("more")]));
  for (const attachments of [[other], [image(), image()], undefined]) {
    const answer = await rig.client.ask("POST", path, { body: { ...message, attachments } });
    expect(answer).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_CONFLICT" } });
  }
});

test("a file that is neither an image nor text is refused, and so is any image for an agent that takes none", async () => {
  await using session = await openSession(rig, "demo");
  const path = `/api/sessions/${session.id}/messages`;
  const send = (attachments: unknown, to = path) =>
    rig.client.ask("POST", to, { body: { content: "look", attachments } });
  for (const binary of [Buffer.from("a\0b"), Buffer.from([0xc3, 0x28])])
    expect(await send([image(binary)])).toMatchObject({ status: 400, body: { code: "UNSUPPORTED" } });
  expect(await send([{ ...image(), data: "not base64!" }])).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST" },
  });
  expect(await send(Array.from({ length: 11 }, () => image()))).toMatchObject({ status: 400 });
  const large = Buffer.concat([png, Buffer.alloc(3.6 * 1024 * 1024)]);
  expect(await send([image(large), image(large), image(large)])).toMatchObject({
    status: 413,
    body: { code: "ATTACHMENT_TOO_LARGE" },
  });

  const long = image(Buffer.alloc(786_432, "x"), "long.txt");
  expect(await send([long])).toMatchObject({ status: 413, body: { code: "PROMPT_TOO_LARGE" } });

  // An ACP agent declares what it accepts when it connects.
  await using plain = await openSession(rig, "kit");
  await plain.turn("hello");
  const answer = await send([image()], `/api/sessions/${plain.id}/messages`);
  expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what: "images" } });
  const { capabilities } = await rig.client.get<Session>(`/api/sessions/${plain.id}`);
  expect(capabilities.images).toBe(false);
});
