/** What can be learned about a home's store without opening it: only a server opens it, and migrates it if needed. */
export interface StoreInspection {
  readonly found:
    | { readonly state: "none" }
    | { readonly state: "unreadable"; readonly error: string }
    | { readonly state: "damaged" }
    /** Written by a newer Drover; `known` is the newest schema of this one. */
    | { readonly state: "newer"; readonly schema: number; readonly known: number }
    | { readonly state: "readable"; readonly bytes: number };
  /** A server found damage in it: the next one checks all of it. */
  readonly isSuspect: boolean;
  /** Damaged files that an earlier start moved aside. */
  readonly keptAside: readonly string[];
}
