/** Data that was sent or stored is shared: every part of it can be read and none can be changed. */
export type Immutable<T> = T extends readonly (infer Entry)[]
  ? readonly Immutable<Entry>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;
