/**
 * Work that many callers request at once. Each gets a result of work that started after its request; all requests made
 * during one run share the next.
 */
export class Shared<T> {
  private readonly work: () => Promise<T>;
  private current: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.work = work;
  }

  run(): Promise<T> {
    if (!this.current) return this.begin();
    const begin = () => this.begin();
    this.next ??= this.current.then(begin, begin);
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = undefined;
    this.current = this.work().finally(() => {
      this.current = undefined;
    });
    return this.current;
  }
}
