import type { Page } from "playwright-core";

/** Milliseconds between consecutive frames. */
export type Frames = readonly number[];

/** Pixels per frame, like a person who scrolls to a distant place. */
export interface Scroll {
  readonly pixelsPerFrame: number;
  readonly seconds: number;
}

/** Scrolls the transcript and reads the clock in every frame. */
export function scroll(page: Page, how: Scroll): Promise<Frames> {
  return page.evaluate(({ pixelsPerFrame, seconds }) => {
    const box = document.querySelector("[role=log]");
    if (!box) throw new Error("No transcript to scroll");
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
  /** `unseen` counts down the frames to ignore. */
  droverFrames?: { readonly seen: number[]; last: number; unseen: number };
}

/** A forced garbage collection also slows down about a dozen frames after it, including most of those over 40 ms. */
const framesAfterPause = 30;

/** Reads the clock in every frame of the page from now on. */
export async function watchFrames(page: Page) {
  await page.evaluate(() => {
    const frames = { seen: [] as number[], last: performance.now(), unseen: 0 };
    (window as Watched).droverFrames = frames;
    const step = (now: number) => {
      if (frames.unseen > 0) frames.unseen--;
      else frames.seen.push(now - frames.last);
      frames.last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const passOver = (count: number) =>
    page.evaluate((unseen) => {
      const { droverFrames: frames } = window as Watched;
      if (frames) frames.unseen = unseen;
    }, count);
  return {
    /** Runs `action` without counting its frames, because a forced garbage collection delays them. */
    async apart<T>(act: () => Promise<T>): Promise<T> {
      await passOver(Number.POSITIVE_INFINITY);
      const result = await act();
      await passOver(framesAfterPause);
      return result;
    },
    frames: (): Promise<Frames> => page.evaluate(() => (window as Watched).droverFrames?.seen ?? []),
  };
}

export const longest = (frames: Frames): number => frames.reduce((most, frame) => Math.max(most, frame), 0);

export function share(frames: Frames, part: number): number {
  return [...frames].sort((a, b) => a - b)[Math.floor((frames.length - 1) * part)] ?? Number.NaN;
}
