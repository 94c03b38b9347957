/** The clocks that alarms use. */
export interface Time {
  /** Milliseconds that never jump, and stand still while the machine sleeps. */
  awakeMs(): number;
  /** The calendar's milliseconds since 1970. */
  wallMs(): number;
  /** Calls back once, unless it is disposed of first. */
  callAfter(ms: number, callback: () => void): Disposable;
}

export const systemTime: Time = {
  awakeMs: () => performance.now(),
  wallMs: () => Date.now(),
  callAfter(ms, callback) {
    const timer = setTimeout(callback, Math.ceil(ms)).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
