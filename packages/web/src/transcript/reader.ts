import type { Session } from "@drover/core";
import { createContext, useContext } from "react";
import type { Undone } from "./undone.ts";

/** Context for the parts of a transcript. */
export interface Reader {
  readonly session: Session;
  /** Whether the view stays at the end. */
  readonly following: boolean;
  /** The running turn. */
  readonly runningTurn: string | undefined;
  /** The seq that a link or a search leads to. The item that contains it is expanded. */
  readonly target: number | undefined;
  readonly undone: Undone;
}

const context = createContext<Reader | undefined>(undefined);
export const ReaderProvider = context.Provider;

export function useReader(): Reader {
  const reader = useContext(context);
  if (!reader) throw new Error("There is no ReaderProvider above this part.");
  return reader;
}
