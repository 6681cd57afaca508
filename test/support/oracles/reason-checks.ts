import { expect } from '@jest/globals';
import type { NotedReason, ReasonedHistory } from './reasoned-history.js';

/** An item of the feed, as it is shown. */
export interface ShownItem {
  readonly kind: string;
  readonly sequence: number;
  readonly reasons?: readonly string[];
  readonly [content: string]: unknown;
}

/** Kinds of the records that a history changes. */
const NOTED: readonly string[] = ['transaction', 'recurring_payment', 'relationship'];

/** Returns the record of an item, as histories name it. */
export function thingOf({ kind, ...rest }: ShownItem): string {
  const shown = rest[kind] as Readonly<Record<string, string | number>>;
  const { transaction_id, preKey, affiliate_id = '', product_id = '' } = shown;
  return String(transaction_id ?? preKey ?? `${affiliate_id}/${product_id}`);
}

/**
 * Returns the reasons of items, each as text with the record. A record of a kind without reasons
 * has an empty one.
 */
export function reasonsIn(items: readonly ShownItem[]): string[] {
  return items
    .filter(({ kind }) => NOTED.includes(kind))
    .flatMap((item) => (item.reasons ?? ['']).map((reason) => `${thingOf(item)} ${reason}`));
}

export function textOf({ thing, reason }: Pick<NotedReason, 'thing' | 'reason'>): string {
  return `${thing} ${reason}`;
}

/**
 * Expects an item to show all reasons since the beginning of a walk, and no others. Reasons of a
 * change that wrote several records may be before or after a cursor between them.
 */
export function expectReasons(history: ReasonedHistory, item: ShownItem, walk_from: number): void {
  if (!NOTED.includes(item.kind)) return;
  const thing = thingOf(item);
  const noted = history.noted.filter((each) => each.thing === thing && each.from < item.sequence);
  const must = noted.filter(({ from }) => from >= walk_from).map(({ reason }) => reason);
  const may = noted.filter(({ to }) => to > walk_from).map(({ reason }) => reason);
  const shown = item.reasons ?? [''];
  expect({ thing, shown }).toEqual({ thing, shown: expect.arrayContaining(must) });
  expect({ thing, may }).toEqual({ thing, may: expect.arrayContaining([...shown]) });
  expect(shown.length).toBe(new Set(shown).size);
}

/** Returns the position and the beginning of the walk of a cursor. */
export function partsOf(cursor: string): { readonly position: number; readonly walk_from: number } {
  const [position = '', walk_from = position] = cursor.split('.');
  return { position: Number(position), walk_from: Number(walk_from) };
}
