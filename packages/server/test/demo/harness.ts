// The demo agent as a real process, with the SDK's client at the other end of its pipes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import {
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type LoadSessionRequest,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  type PermissionOptionKind,
  type PromptRequest,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { testedPackage } from "../../../../scripts/root.ts";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";

/** The built agent starts in half the time of its source. */
export const demoMain = join(testedPackage, "dist", "agents", "demo", "main.js");

/** How a client answers the agent's requests; without an entry it never does. */
export interface Answers {
  permit?: (
    request: RequestPermissionRequest,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  answer?: (
    request: CreateElicitationRequest,
  ) => CreateElicitationResponse | Promise<CreateElicitationResponse>;
  canAsk?: boolean;
}

export const never = <T>(): Promise<T> => new Promise(() => {});

/** Answers with the option of a kind, as a client must: ids are the agent's own. */
export function choose(kind: PermissionOptionKind, reason?: string) {
  return ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    const option = options.find((candidate) => candidate.kind === kind);
    if (!option) throw new Error(`The agent offers no ${kind}`);
    return {
      outcome: { outcome: "selected", optionId: option.optionId },
      ...(reason === undefined ? {} : { _meta: { "drover/reason": reason } }),
    };
  };
}

/** A working directory and one for the agent's state, which outlive the agent's processes. */
export interface Place extends AsyncDisposable {
  readonly cwd: string;
  readonly state: string;
}

export async function place(): Promise<Place> {
  const cwd: TempDir = await tempDir("demo-cwd-");
  const state: TempDir = await tempDir("demo-state-");
  const remove = async () => {
    await cwd.remove();
    await state.remove();
  };
  return { cwd: cwd.path, state: state.path, [Symbol.asyncDispose]: remove };
}

/** The agent's own log of what it really did. */
export const actionsIn = ({ cwd }: Place): string => join(cwd, ".drover", "demo.log");

export class Demo implements AsyncDisposable {
  readonly agent: ClientContext;
  /** Without the list of its commands, which can arrive any time after a session is open. */
  readonly updates: SessionUpdate[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  readonly questions: CreateElicitationRequest[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  readonly #place: Place;
  #sessionId = "";

  constructor(where: Place, answers: Answers) {
    this.#place = where;
    const env = { ...process.env, XDG_STATE_HOME: where.state };
    const child = spawn(process.execPath, [demoMain], {
      cwd: where.cwd,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child = child;
    this.#exited = once(child, "exit");
    child.stdin.on("error", () => {}); // it may end before it has read everything
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin),
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    this.agent = client({ name: "test" })
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate !== "available_commands_update") this.updates.push(update);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.permissions.push(params);
        return answers.permit ? answers.permit(params) : never();
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.questions.push(params);
        return answers.answer ? answers.answer(params) : never();
      })
      .connect(stream).agent;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  async newSession(): Promise<void> {
    const request: NewSessionRequest = { cwd: this.#place.cwd, mcpServers: [] };
    this.#sessionId = (await this.agent.request(methods.agent.session.new, request)).sessionId;
  }

  async loadSession(sessionId: string, change: Partial<LoadSessionRequest> = {}): Promise<void> {
    const request: LoadSessionRequest = { sessionId, cwd: this.#place.cwd, mcpServers: [], ...change };
    await this.agent.request(methods.agent.session.load, request);
    await setImmediate();
    this.#sessionId = sessionId;
  }

  /** Sends a prompt of these lines. When it is answered, all its updates have arrived. */
  async prompt(...lines: string[]): Promise<PromptResponse> {
    const prompt: ContentBlock[] = [{ type: "text", text: lines.join("\n") }];
    const request: PromptRequest = { sessionId: this.#sessionId, prompt };
    return this.agent.request(methods.agent.session.prompt, request).finally(() => setImmediate());
  }

  async cancel(): Promise<void> {
    await this.agent.notify(methods.agent.session.cancel, { sessionId: this.#sessionId });
  }

  updatesOf<Kind extends SessionUpdate["sessionUpdate"]>(
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates.filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
    );
  }

  /** The agent's text, joined. */
  get text(): string {
    return this.chunks.join("");
  }

  get chunks(): string[] {
    return this.updatesOf("agent_message_chunk").map(({ content }) =>
      content.type === "text" ? content.text : "",
    );
  }

  /** The latest state of each tool call: the call with all updates applied. */
  get calls(): Record<string, unknown>[] {
    const calls = new Map<string, Record<string, unknown>>();
    for (const update of this.updates) {
      if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") continue;
      const { sessionUpdate, ...fields } = update;
      calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...fields });
    }
    return [...calls.values()];
  }

  /** The exit code, or the signal that ended it. */
  async exit(): Promise<unknown> {
    const [code, signal] = await this.#exited;
    return code ?? signal;
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Closes our end of its stdout: further writes hit a broken pipe. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#exited;
  }
}

/** A started and initialized agent, without a session. */
export async function startDemo(where: Place, answers: Answers = {}): Promise<Demo> {
  const demo = new Demo(where, answers);
  await demo.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: answers.canAsk === false ? {} : { elicitation: { form: {} } },
  });
  return demo;
}

/** A started agent with a new session. */
export async function demoWithSession(where: Place, answers: Answers = {}): Promise<Demo> {
  const demo = await startDemo(where, answers);
  await demo.newSession();
  return demo;
}

/** The text in a tool call's content. */
export function textIn(call: Record<string, unknown> | undefined): string {
  const content = call?.["content"];
  if (!Array.isArray(content)) return "";
  return content.map((block) => block?.content?.text ?? "").join("");
}

export interface RunOutput {
  readonly output: string;
  readonly exitCode: number;
}

/** The raw output of the first tool call, a `run`. */
export function runOutput(demo: Demo): RunOutput {
  const raw = demo.calls[0]?.["rawOutput"];
  if (raw === undefined) throw new Error("The first tool call has no raw output");
  return raw as RunOutput;
}
