import type { ProposalList, ProposalText, Session, SessionList, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../../kit/until.ts";
import type { Page } from "../page-server.ts";

export function workersContract(current: () => Page): void {
  const spawn = ({ ask, server }: Page, fields: object) =>
    ask<Session>("POST", "/api/workers", { agent: "demo", cwd: server.repository, ...fields });

  test("workers of one batch are tries at a task, listed by it and compared", async () => {
    const page = current();
    const { ask, http } = page;
    const batch = "contract-tries";
    const task = (text: string) => ({
      prompt: `write try.txt ${text}`,
      batch,
      permissionMode: "acceptEdits",
    });
    const first = await spawn(page, { ...task("one"), name: "try-one" });
    const second = await spawn(page, { ...task("two"), name: "try-two" });
    expect(first).toMatchObject({
      kind: "worker",
      workspace: { mode: "worktree", branch: "drover/try-one" },
      worker: { mode: "execute", batch },
    });
    const { sessions } = await ask<SessionList>("GET", `/api/sessions?batch=${batch}`);
    expect(sessions.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());

    const changes = `/api/sessions/${second.id}/workspace?with=${first.id}`;
    const compared = await until(
      async () => {
        const { files } = await ask<WorkspaceChanges>("GET", changes);
        const isWritten = files.length === 1 && files[0]?.added === 1 && files[0].removed === 1;
        return isWritten ? files : undefined;
      },
      { what: "both tries have written their file" },
    );
    expect(compared).toMatchObject([{ path: "try.txt", status: "modified" }]);
    const lines = `/api/sessions/${second.id}/file?path=try.txt&side=before&from=1&to=1&with=${first.id}`;
    expect(await ask("GET", lines)).toMatchObject({ lines: ["one"], total: 1 });

    const elsewhere = await page.newSession();
    const refused = `/api/sessions/${second.id}/workspace?with=${elsewhere.id}`;
    expect(await http.ask("GET", refused)).toMatchObject({ status: 400, body: { code: "UNSUPPORTED" } });
    for (const { id } of [first, second]) {
      await ask("POST", `/api/sessions/${id}/stop`);
      await ask("DELETE", `/api/sessions/${id}?force=1`);
    }
  });

  test("what a worker proposes is listed, read and deleted", async () => {
    const page = current();
    const { ask, http } = page;
    const prompt = "propose phase Cart\nsignal done";
    const { id } = await spawn(page, { mode: "plan", name: "contract-plan", prompt });
    const proposed = await until(
      async () => {
        const { worker, turn } = await ask<Session>("GET", `/api/sessions/${id}`);
        return worker?.proposals && !turn ? worker.proposals : undefined;
      },
      { what: "the worker has left proposals" },
    );
    expect(proposed).toEqual({ open: 1, invalid: 0 });
    const { proposals } = await ask<ProposalList>("GET", `/api/sessions/${id}/proposals`);
    const [cart] = proposals;
    expect(proposals).toMatchObject([{ kind: "phase", action: "create", title: "Cart", state: "open" }]);
    const { body } = await ask<ProposalText>("GET", `/api/proposals/${cart?.id}`);
    expect(body.trim()).not.toBe("");
    expect(await ask("DELETE", `/api/proposals/${cart?.id}`)).toEqual({ deleted: true });
    expect(await ask("GET", `/api/sessions/${id}/proposals`)).toEqual({ proposals: [] });
    expect(await http.ask("GET", `/api/proposals/${cart?.id}`)).toMatchObject({ status: 404 });
    await ask("DELETE", `/api/sessions/${id}?force=1`);
  });
}
