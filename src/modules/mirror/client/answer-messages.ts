/**
 * Messages to the thread carry the bytes of an answer as they arrive, the end of the bytes, and
 * requests for pieces.
 */
export type ToThread =
  | { readonly id: number; readonly kind: 'begin'; readonly maxValues: number }
  | { readonly id: number; readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'end' | 'next' | 'drop' };

/**
 * Messages from the thread carry the reason why an answer is rejected, or its envelope and then its
 * results in pieces.
 */
export type FromThread =
  | { readonly id: number; readonly kind: 'problem'; readonly problem: string }
  | ({ readonly id: number; readonly kind: 'envelope' } & Envelope)
  | { readonly id: number; readonly kind: 'piece'; readonly items: readonly unknown[] };

/** Holds an answer without its results. */
export interface Envelope {
  readonly meta: unknown;
  /** The number of pieces of `results`; null if `results` is not a list. */
  readonly pieces: number | null;
}
