import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byListOrder } from '../../../src/ledger/reads/transaction-row.model.js';
import type { LedgerPosition } from '../../../src/ledger/reads/transaction.model.js';
import { holds } from '../../support/random/properties.js';

function row(second: number, arrival: number, vendor_id = 1): LedgerPosition {
  return { sale_date: `2025-06-01 12:00:0${second}`, vendor_id, arrival };
}

/** A database may return the rows of a join in any order. */
describe('the order of the list', () => {
  it('is by sale, and within a second by vendor and arrival, the highest first', async () => {
    const inOrder = [
      row(3, 1),
      row(2, 3, 7),
      row(2, 20),
      row(2, 10),
      row(2, 9),
      row(2, 2),
      row(1, 100),
    ];
    const shuffled = fc.shuffledSubarray(inOrder, { minLength: inOrder.length });
    await holds(
      fc.property(shuffled, (rows) => {
        expect(rows.toSorted(byListOrder)).toEqual(inOrder);
      }),
    );
  });
});
