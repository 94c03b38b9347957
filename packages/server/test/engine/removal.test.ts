import { expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import type { Store } from "../../src/ports.ts";
import type { Service } from "../../src/service.ts";
import { but, granted, Staged } from "./support.ts";

test("a message that arrives while its session is being deleted starts nothing", async () => {
  let late: ReturnType<Service["sessions"]["send"]> | undefined;
  const store = (real: Store): Store =>
    but(real, {
      async append(append) {
        await real.append(append);
        const isStopped = append.events.some(
          ({ type, data }) => type === "session_status" && data.includes('"stopping"'),
        );
        const message = { content: "too late", disposition: "queue", strict: false } as const;
        if (isStopped) late = staged.service.sessions.send(append.stream, message, { by: "api" });
      },
    });
  await using staged = await Staged.open({ agent: "echo", store });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  expect(granted(await staged.service.sessions.remove(id, { force: false }))).toEqual({ deleted: true });
  const answer = await late;
  expect(answer).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  expect((await staged.types(id)).filter((type) => type === "turn_start")).toHaveLength(1);
  expect(processesOf(staged.directory)).toEqual([]);
});

test("a deleted session is not counted in the statistics, even if messages waited in its queue", async () => {
  await using staged = await Staged.open({ agent: "asks-permission" });
  const { id } = await staged.create();
  await staged.send(id, "first");
  await staged.send(id, "waits");
  await staged.when(id, ({ openInteractions, queued }) => openInteractions === 1 && queued === 1);
  expect(staged.engine.statistics().sessions).toEqual({ waiting_for_input: 1 });
  granted(await staged.service.sessions.remove(id, { force: false }));
  expect(staged.engine.statistics().sessions).toEqual({});
});
