// One server for all checks of an agent, and for each check a session in its own directory.
import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Interaction, Session } from "@drover/core";
import { Conversation, openRig, type Rig } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { type Model, startModel } from "../models/model.ts";
import { deadProxy } from "./direct.ts";
import type { Step, Subject } from "./subjects.ts";

/** Agents can be slow to start, and the machine may be busy. */
export const patience = { deadline: 60_000 };

/** An address where nothing listens. */
export const nowhere = "http://127.0.0.1:9";

/** The agent's requests to its model, each with a reply. */
type ModelRequest = Model["requests"][number];

export interface Stage extends AsyncDisposable {
  readonly subject: Subject;
  readonly rig: Rig;
  readonly model: Model | undefined;
}

export async function openStage(subject: Subject, installed: string): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const model = subject.dialect ? opened.use(await startModel(subject.dialect)) : undefined;
  const baseUrl = model?.url ?? nowhere;
  const rig = opened.use(
    await openRig(async (home) => {
      const own = await subject.home?.({ home, baseUrl });
      const entry = { ...subject.entry?.(installed, baseUrl), ...own };
      return {
        agents: { [subject.name]: entry },
        env: { ...deadProxy(baseUrl), SOMEBODYS_TOKEN: "canary-environment", ...subject.serverEnv },
      };
    }),
  );
  const agents = join(rig.home, ".drover", "agents");
  await mkdir(agents, { recursive: true });
  // As `drover agents add` would have installed them.
  await symlink(join(installed, "node_modules"), join(agents, "node_modules"));
  await writeFile(join(rig.home, ".gitconfig"), "[user]\n\tname = Test\n\temail = test@example.invalid\n");
  const disposables = opened.move();
  return { subject, rig, model, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}

/** A session of the agent and what can be observed from outside. */
export class Scene {
  readonly subject: Subject;
  readonly rig: Rig;
  readonly cwd: string;
  readonly session: Conversation;
  readonly #model: Model | undefined;
  readonly #firstRequest: number;

  constructor({ subject, rig, model }: Stage, session: Conversation, cwd: string) {
    this.subject = subject;
    this.rig = rig;
    this.cwd = cwd;
    this.session = session;
    this.#model = model;
    this.#firstRequest = model?.requests.length ?? 0;
  }

  get hasModel(): boolean {
    return this.#model !== undefined;
  }

  get modelUrl(): string {
    return this.#model?.url ?? nowhere;
  }

  prompt(...steps: Step[]): string {
    return this.subject.prompt(steps);
  }

  /** A turn without interactions. */
  turn(...steps: Step[]): Promise<EventOf<"done">> {
    return this.session.turn(this.prompt(...steps), patience);
  }

  /** Runs another turn, which must succeed. */
  async assertUsable(): Promise<void> {
    const { reason } = await this.turn({ say: "Still here." });
    assert.equal(reason, "end_turn");
    assert.match(this.session.follower.text(), /Still here\.\s*$/);
  }

  /** The open interaction; waits for one. */
  async interaction(): Promise<Interaction> {
    const first = async () => (await this.session.openInteractions())[0];
    return until(first, { ...patience, what: "the agent asks" });
  }

  /** Sends these steps, the first of which must make the agent ask. */
  async promptUntilAsked(...steps: Step[]): Promise<{ messageId: string; interaction: Interaction }> {
    const { messageId } = await this.session.send(this.prompt(...steps));
    return { messageId, interaction: await this.interaction() };
  }

  get asks(): boolean {
    return this.subject.capabilities.approvals === "live";
  }

  /** Lets commands run: an agent that cannot ask gets a mode in which it need not. */
  async permit(): Promise<void> {
    if (!this.asks) await this.rig.client.patch(this.session.path(), { permissionMode: "never" });
  }

  /** Approves this many commands, if the agent asks. */
  async grant(commands = 1): Promise<void> {
    if (!this.asks) return;
    for (let granted = 0; granted < commands; granted++) await this.approve(await this.interaction());
  }

  /** Sends steps that run commands (one by default), and lets them run. */
  async letRun(steps: readonly Step[], commands?: number): Promise<string> {
    await this.permit();
    const { messageId } = await this.session.send(this.prompt(...steps));
    await this.grant(commands);
    return messageId;
  }

  approve({ toolCallId }: Interaction, fields: Record<string, unknown> = {}): Promise<Interaction> {
    return this.session.post("approve", { toolCallId, ...fields });
  }

  done(messageId: string): Promise<EventOf<"done">> {
    return this.session.done(messageId, patience);
  }

  /** Variables for the agents of this scene's project. */
  async setEnvironment(env: Record<string, string>): Promise<void> {
    const { projectId } = await this.session.get();
    await this.rig.client.patch(`/api/projects/${projectId}`, { env });
  }

  /** What commands wrote; undefined if none ran. */
  notes(): Promise<string | undefined> {
    return readFile(join(this.cwd, "notes"), "utf8").catch(() => undefined);
  }

  /**
   * The newest request that the model answered with `say`. Some agents also request a title, with only the prompt, so
   * the request with the longest conversation is the turn's.
   */
  requestFor(say: string): ModelRequest {
    const own = this.#model?.requests.slice(this.#firstRequest) ?? [];
    const answered = own.filter(({ step }) => step?.say === say).reverse();
    const length = (request: ModelRequest) => this.#conversation(request).length;
    const [newest] = answered;
    assert.ok(newest, `no request was answered with ${say}`);
    return answered.reduce((one, other) => (length(other) > length(one) ? other : one), newest);
  }

  /** The conversation in the request that the model answered with `say`. */
  conversationAt(say: string): { role: string; text: string }[] {
    return this.#conversation(this.requestFor(say));
  }

  #conversation({ path, body }: ModelRequest): { role: string; text: string }[] {
    return this.subject.dialect?.read(path, body)?.conversation ?? [];
  }

  /** The tool results in that request. */
  results(say: string): string[] {
    return this.conversationAt(say).flatMap(({ role, text }) => (role === "tool" ? [text] : []));
  }
}

let scenes = 0;

/** Runs `play` in a new session, and deletes it unless it failed. */
export async function inScene(stage: Stage, play: (scene: Scene) => Promise<void>): Promise<void> {
  const { rig, subject } = stage;
  const cwd = join(rig.home, "work", `scene-${++scenes}`);
  await mkdir(cwd);
  const { id } = await rig.client.post<Session>("/api/sessions", { agent: subject.name, cwd });
  await using session = new Conversation(rig, id);
  try {
    await play(new Scene(stage, session, cwd));
  } catch (cause) {
    const events = session.follower.events.map((event) => JSON.stringify(event).slice(0, 400));
    throw new Error(`The last events:\n  ${events.slice(-25).join("\n  ")}`, { cause });
  }
  await rig.client.delete(`/api/sessions/${id}`);
}
