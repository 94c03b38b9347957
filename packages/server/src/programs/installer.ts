import type { Preset, Rejection, Result } from "@drover/core";
import { Semaphore } from "../process/semaphore.ts";
import { type Install, installAgent } from "./install.ts";

/** A server's installs: one at a time, each shared by all its callers, and finished even if they go away. */
export class Installer implements AsyncDisposable {
  readonly #install: Install;
  readonly #turn = new Semaphore(1);
  /** By package: several agents may share one. */
  readonly #running = new Map<string, Promise<Result<void, Rejection>>>();
  readonly #closing = new AbortController();

  constructor(install: Omit<Install, "signal">) {
    this.#install = { ...install, signal: this.#closing.signal };
  }

  /** Rejects with a Fault if npm fails. */
  install(preset: Preset): Promise<Result<void, Rejection>> {
    const key = preset.package?.name ?? preset.agent;
    const running = this.#running.get(key);
    if (running) return running;
    const install = this.#turn
      .run(() => installAgent(preset, this.#install))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, install);
    return install;
  }

  /** Aborts the install in progress; nothing of it is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }
}
