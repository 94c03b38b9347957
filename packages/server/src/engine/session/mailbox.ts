/** One thing at a time, in the order asked: what makes a session have one owner. */
export class Mailbox {
  private tail: Promise<void> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    // Only that it is done is kept: what came of it may be a whole snapshot, and would stay until the next task.
    this.tail = result.then(nothing, nothing);
    return result;
  }

  /** Everything asked for until now is done. */
  drain(): Promise<void> {
    return this.tail;
  }
}

const nothing = (): void => {};
