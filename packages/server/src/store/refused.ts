/**
 * Why this home's store cannot be opened. Nothing was changed; `message` says what to do next. Distinct from
 * StoreError, which rejects one write to an open store.
 */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
  readonly code:
    | "NEWER_SCHEMA"
    | "OLDER_SCHEMA"
    | "CORRUPT"
    | "OUT_OF_REACH"
    | "OLD_SQLITE"
    | "IN_USE"
    | "MIGRATION_FAILED";

  constructor(code: StoreRefused["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
