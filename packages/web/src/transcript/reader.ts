import type { Session } from "@drover/core";
import { createContext, useContext } from "react";

/** What the parts of a transcript know of where they stand. */
export interface Reader {
  readonly session: Session;
  /** The end is on the screen, and stays there. */
  readonly following: boolean;
  /** The turn that runs now. */
  readonly runningTurn: string | undefined;
  /** The number somebody was led to, by a link or a search: what holds it shows itself open. */
  readonly target: number | undefined;
}

const context = createContext<Reader | undefined>(undefined);
export const ReaderProvider = context.Provider;

export function useReader(): Reader {
  const reader = useContext(context);
  if (!reader) throw new Error("There is no ReaderProvider above this part.");
  return reader;
}
