import type { Page } from "playwright-core";

/** Milliseconds between one frame and the next, for every frame of a stretch of time. */
export type Frames = readonly number[];

/** How a person scrolls who wants to get somewhere: so many pixels with every frame. */
export interface Scroll {
  readonly pixelsPerFrame: number;
  readonly seconds: number;
}

/** Scrolls the transcript and looks at the clock in every frame. */
export function scroll(page: Page, how: Scroll): Promise<Frames> {
  return page.evaluate(({ pixelsPerFrame, seconds }) => {
    const box = document.querySelector("[role=log]");
    if (!box) throw new Error("There is no transcript to scroll");
    const frames: number[] = [];
    return new Promise<number[]>((resolve) => {
      let last = performance.now();
      const end = last + seconds * 1000;
      const step = (now: number) => {
        frames.push(now - last);
        last = now;
        box.scrollTop += pixelsPerFrame;
        if (now < end) requestAnimationFrame(step);
        else resolve(frames);
      };
      requestAnimationFrame((now) => {
        last = now;
        requestAnimationFrame(step);
      });
    });
  }, how);
}

interface Watched {
  droverFrames?: { readonly seen: number[]; last: number; isPaused: boolean };
}

/** Looks at the clock in every frame of the page from now on. */
export async function watchFrames(page: Page) {
  await page.evaluate(() => {
    const frames = { seen: [] as number[], last: performance.now(), isPaused: false };
    (window as Watched).droverFrames = frames;
    const step = (now: number) => {
      if (!frames.isPaused) frames.seen.push(now - frames.last);
      frames.last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const pause = (isPaused: boolean) =>
    page.evaluate(
      (paused) =>
        new Promise<void>((done) => {
          const { droverFrames: frames } = window as Watched;
          // The frame in which a pause ends has waited for it.
          requestAnimationFrame(() => {
            if (frames) Object.assign(frames, { isPaused: paused, last: performance.now() });
            done();
          });
        }),
      isPaused,
    );
  return {
    /** What is done here is not counted: a forced collection holds every frame up. */
    async apart<T>(act: () => Promise<T>): Promise<T> {
      await pause(true);
      const result = await act();
      await pause(false);
      return result;
    },
    frames: (): Promise<Frames> => page.evaluate(() => (window as Watched).droverFrames?.seen ?? []),
  };
}

export const longest = (frames: Frames): number => frames.reduce((most, frame) => Math.max(most, frame), 0);

export function share(frames: Frames, part: number): number {
  return [...frames].sort((a, b) => a - b)[Math.floor((frames.length - 1) * part)] ?? Number.NaN;
}
