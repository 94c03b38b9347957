/** Runs tasks one at a time, in order: this gives a session a single owner. */
export class Mailbox {
  private tail: Promise<void> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    // Keep only the completion: the result may be a whole snapshot, which would stay in memory until the next task.
    this.tail = result.then(nothing, nothing);
    return result;
  }

  /** Resolves when everything requested so far is done. */
  drain(): Promise<void> {
    return this.tail;
  }
}

const nothing = (): void => {};
