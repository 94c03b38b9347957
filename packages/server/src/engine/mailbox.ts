/** One thing at a time, in the order asked: what makes a session have one owner. */
export class Mailbox {
  private tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task, task);
    this.tail = result.catch(() => undefined);
    return result;
  }

  /** Everything asked for until now is done. */
  drain(): Promise<unknown> {
    return this.tail;
  }
}
