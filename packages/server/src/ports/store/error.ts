/** Why an open store rejects a read or a write. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code:
    | "CONFLICT"
    | "STALE_OWNER"
    | "NAME_TAKEN"
    | "RECEIPT_TAKEN"
    | "BAD_CURSOR"
    | "STORAGE_FULL"
    | "STORE_BUSY";

  constructor(code: StoreError["code"], message: string) {
    super(message);
    this.code = code;
  }

  /** The same request may succeed later. */
  get isTemporary(): boolean {
    return this.code === "STORAGE_FULL" || this.code === "STORE_BUSY";
  }
}
