import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Number of items in a part, which take one or two milliseconds. */
const PART = 100;

/**
 * Processes a list in parts. Other work runs between them, such as sending the next statement of a
 * transaction.
 */
export async function inParts<Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => void,
): Promise<void> {
  for (let at = 0; at < items.length; at += PART) {
    if (at > 0) await yieldToOthers();
    work(items.slice(at, at + PART));
  }
}
