/** The thread is told the bytes of an answer as they come, their end, and what it is asked for. */
export type ToThread =
  | { readonly id: number; readonly kind: 'begin'; readonly maxValues: number }
  | { readonly id: number; readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'end' | 'next' | 'drop' };

/** The thread says why an answer is refused, or sends its envelope, and its results in pieces. */
export type FromThread =
  | { readonly id: number; readonly kind: 'problem'; readonly problem: string }
  | ({ readonly id: number; readonly kind: 'envelope' } & Envelope)
  | { readonly id: number; readonly kind: 'piece'; readonly items: readonly unknown[] };

/** An answer without its results. */
export interface Envelope {
  readonly meta: unknown;
  /** The number of pieces of `results`; null if it is no list. */
  readonly pieces: number | null;
}
