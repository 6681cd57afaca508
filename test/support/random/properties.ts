import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** What repeats a property's failure: fast-check prints both, `FC_SEED=… FC_PATH=…` gives them back. */
export const seed = Number(process.env.FC_SEED ?? randomInt(2 ** 31));
const path = process.env.FC_PATH;

/** Runs a property over random cases; a failure tells the seed, the path and the smallest case found. */
export async function holds<Case extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Case> | fc.IProperty<Case>,
  parameters: fc.Parameters<Case> = {},
): Promise<void> {
  await fc.assert(property, { seed, ...(path === undefined ? {} : { path }), ...parameters });
}

/** Runs `work` on each item, at most `width` at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
