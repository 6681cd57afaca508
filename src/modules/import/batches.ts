import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ImportBatch } from './import-batch.js';
import type { RawLine } from '../../ledger-format/ledger-file.js';

/** This many lines are read before the event loop may send the next statement. */
const LINES_BETWEEN_YIELDS = 8;

/**
 * Reads lines into batches. It yields to the event loop every few lines, because the previous batch
 * is written at the same time and its next statement should not wait for these lines.
 */
export async function* batchesOf(
  lines: AsyncIterable<RawLine>,
  begin: () => ImportBatch,
): AsyncGenerator<ImportBatch> {
  let batch = begin();
  let lineCount = 0;
  for await (const line of lines) {
    batch.read(line);
    if (batch.isFull) {
      yield batch;
      batch = begin();
    }
    lineCount += 1;
    if (lineCount % LINES_BETWEEN_YIELDS === 0) await yieldToOthers();
  }
  if (!batch.isEmpty) yield batch;
}

/**
 * Gets the next item while the current one is processed. An error is thrown when the consumer
 * reaches the item that caused it. If the consumer ends early, it does not wait for the next item,
 * which may never come.
 */
export async function* oneAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    items.return(undefined).catch(() => undefined);
  }
}
