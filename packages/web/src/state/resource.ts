import type { Result } from "@drover/core";
import type { Problem } from "../transport/wire.ts";
import { createStore, type Store } from "./store.ts";

export interface ResourceState<T> {
  /** The last answer. It stays while a newer one is loading, and if that fails. */
  readonly value?: T;
  readonly problem?: Problem;
  readonly busy: boolean;
}

/** The answer to a GET, shared by all its users. */
export class Resource<T> {
  readonly state: Store<ResourceState<T>>;
  private readonly fetch: () => Promise<Result<T, Problem>>;
  private pending = false;
  /** Counts requests, so that answers to earlier ones are dropped. */
  private round = 0;

  /** `value` is shown until the first answer arrives. */
  constructor(fetch: () => Promise<Result<T, Problem>>, value?: T) {
    this.fetch = fetch;
    this.state = createStore<ResourceState<T>>({ busy: true, ...(value === undefined ? {} : { value }) });
  }

  /** Sends a request, unless one is in flight. */
  load(): void {
    if (!this.pending) void this.reload();
  }

  /** Sends a new request, and drops the answer to one in flight, which may be out of date. */
  async reload(): Promise<void> {
    const round = ++this.round;
    const { problem: _, ...before } = this.state.get();
    this.pending = true;
    this.state.set({ ...before, busy: true });
    const answer = await this.fetch();
    if (round !== this.round) return;
    this.pending = false;
    const { value } = this.state.get();
    const kept = value === undefined ? {} : { value };
    this.state.set(
      answer.ok ? { busy: false, value: answer.value } : { busy: false, problem: answer.error, ...kept },
    );
  }
}
