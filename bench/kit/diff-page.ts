// A large diff in a repository, and how it scrolls in the page.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import type { Figure } from "../scenario.ts";
import { type Frames, longest, share } from "./frames.ts";

const run = promisify(execFile);

export interface DiffSize {
  readonly files: number;
  readonly lines: number;
}

/** Each file's name, in order. */
export const fileName = (file: number): string => `file-${String(file).padStart(4, "0")}.ts`;

/** Makes a repository whose files `rewrite` changes. */
export async function makeRepository(directory: string, size: DiffSize): Promise<void> {
  const env = {
    ...{ PATH: process.env["PATH"], HOME: directory },
    ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.test" },
    ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.test" },
  };
  const git = (...args: string[]) => run("git", args, { cwd: directory, env });
  await mkdir(directory);
  await git("init", "-q", "-b", "main");
  await rewrite(directory, size, "before");
  await git("add", "-A");
  await git("commit", "-q", "-m", "before");
}

/** Replaces every line of every file with a similar one, which is the most work to compare and to render. */
export async function rewrite(
  directory: string,
  { files, lines }: DiffSize,
  value: "before" | "after",
): Promise<void> {
  for (let file = 0; file < files; file++) {
    const text = Array.from(
      { length: lines },
      (_, line) => `  const value${line} = compute(${value}, ${line}); // of file ${file}\n`,
    );
    await writeFile(join(directory, fileName(file)), text.join(""));
  }
}

interface Scroll {
  readonly pixelsPerFrame: number;
  readonly frames: number;
}

/** Scrolls the diff, and reads the clock in every frame. */
export function scroll(page: Page, how: Scroll): Promise<Frames> {
  return page.evaluate(({ pixelsPerFrame, frames }) => {
    const box = document.querySelector("section[aria-label=Diff]");
    if (!box) throw new Error("No diff to scroll");
    const seen: number[] = [];
    return new Promise<number[]>((resolve) => {
      let last: number | undefined;
      const step = (at: number) => {
        if (last !== undefined) seen.push(at - last);
        last = at;
        box.scrollTop += pixelsPerFrame;
        if (seen.length < frames) requestAnimationFrame(step);
        else resolve(seen);
      };
      requestAnimationFrame(step);
    });
  }, how);
}

export const frameFigures = (what: string, frames: Frames): Figure[] => [
  { what: `${what}: longest frame`, value: longest(frames), unit: "ms", target: "< 100 ms" },
  { what: `${what}: 99 % of frames within`, value: share(frames, 0.99), unit: "ms" },
];
