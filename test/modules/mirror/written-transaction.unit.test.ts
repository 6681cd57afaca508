/** A sale that is written as a line and read again is unchanged. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRecord } from '../../../src/platform/values/is-record.js';
import { RecordFields } from '../../../src/ledger/records/record-fields.js';
import { readTransaction } from '../../../src/ledger/records/transaction.record.js';
import { writtenTransaction } from '../../../src/ledger/records/written-transaction.js';
import { holds } from '../../support/random/properties.js';
import { idsOf, randomLedger, recordsOf } from '../../support/random/random-records.js';

describe('a written transaction', () => {
  it('is read as what it was', async () => {
    let sales = 0;
    const property = fc.property(randomLedger, (ledger) => {
      for (const sale of recordsOf(idsOf(1, ledger), ledger).filter(isRecord)) {
        if (sale.type !== 'transaction') continue;
        const fields = new RecordFields(sale);
        const record = readTransaction(fields);
        expect(fields.faults.texts()).toEqual([]);
        const line: unknown = JSON.parse(JSON.stringify(writtenTransaction(record)));
        const again = new RecordFields(isRecord(line) ? line : {});
        expect(readTransaction(again)).toEqual(record);
        expect(again.faults.texts()).toEqual([]);
        sales += 1;
      }
    });
    await holds(property, { numRuns: 300 });
    expect(sales).toBeGreaterThan(100);
  });
});
